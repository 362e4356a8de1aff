"""The table of kinds: what can be done to a caption. Labels, the page's check boxes and the command line read it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from capeval_core.errors import InvalidInput

FAMILIES = ("synonyms", "redundancy", "order", "faults", "distractors")


@dataclass(frozen=True, slots=True)
class Kind:
    key: str
    label: str
    family: str
    description: str


_TABLE = (
    ("synonyms", "Synonyms", "synonyms", "Content words replaced by common words of the same meaning"),
    ("extra_phrase", "Extra phrase", "redundancy", "A phrase that says nothing new, at the end"),
    ("reference_phrase", "Place from a reference", "redundancy", "Where it happens, as another reference says it"),
    ("fronted", "Fronted phrase", "order", "Where it happens, or what else does, goes to the front"),
    ("swapped_clauses", "Clause swap", "order", "Two coordinated parts change places"),
    ("shuffled", "Shuffled words", "order", "Content words change places among themselves"),
    ("reversed", "Reversed", "order", "The caption backwards, phrase by phrase or word by word"),
    ("wrong_colour", "Wrong colour", "faults", "A colour that nobody named"),
    ("wrong_count", "Wrong count", "faults", "Another number of things"),
    ("swapped_roles", "Swapped roles", "faults", "Who does it and to whom it is done change places"),
    ("negation", "Negation", "faults", "What is shown is denied"),
    ("repeated_phrase", "Repeated phrase", "faults", "A phrase said again, as a looping decoder does"),
    ("dropped_object", "Dropped object", "faults", "A thing is left out, with the words that cannot stand without it"),
    ("truncated", "Truncated ending", "faults", "The ending is cut off"),
    ("hypernym", "Wider word", "faults", "A thing named by a wider word: schnauzer, dog"),
    ("typo", "Typo", "faults", "Letters swapped, lost or doubled"),
    ("replace_person", "Replace person", "distractors", "Another person, the rest as it was"),
    ("replace_scene", "Replace scene", "distractors", "Another place, the rest as it was"),
    ("share_person", "Share person", "distractors", "The same person, doing something else elsewhere"),
    ("share_scene", "Share scene", "distractors", "The same place, something else going on"),
    ("just_person", "Just person", "distractors", "Nothing but the person"),
    ("just_scene", "Just scene", "distractors", "Nothing but the place"),
)
KINDS: dict[str, Kind] = {key: Kind(key, label, family, text) for key, label, family, text in _TABLE}


def select(chosen: Iterable[str] | None) -> list[Kind]:
    """Kinds by key or by family, in the table's order; all of them for None."""
    wanted = set(FAMILIES if chosen is None else chosen)
    unknown = sorted(wanted - KINDS.keys() - set(FAMILIES))
    if unknown:
        known = ", ".join((*FAMILIES, *(key for key in KINDS if key not in FAMILIES)))
        raise InvalidInput(f"unknown kind of perturbation {unknown[0]!r}", expected=f"one of {known}")
    return [kind for kind in KINDS.values() if kind.key in wanted or kind.family in wanted]
