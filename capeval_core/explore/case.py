"""Case: one candidate with its references, read; and how an error is worded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from capeval_core.explore.facts import Facts, Thing
from capeval_core.explore.findings import Error
from capeval_core.explore.reading import Read
from capeval_core.explore.support import Support


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    candidate: Read
    facts: Facts
    references: tuple[Read, ...]
    reference_facts: tuple[Facts, ...]
    support: Support

    def text(self, places: Iterable[int]) -> str:
        return self.candidate.caption.phrase(places)

    def error(
        self, kind: str, places: Sequence[int], strength: float, evidence: str, reference: int | None = None
    ) -> Error:
        """Of some words of the candidate, as they stand there."""
        order = sorted(set(places))
        words = self.candidate.words
        return Error(
            kind,
            " ".join(words[place].text for place in order),
            round(min(max(strength, 0.05), 1.0), 3),
            evidence,
            tuple((words[place].start, words[place].end) for place in order),
            reference,
        )

    def phrase(self, number: int, thing: Thing, first: int | None = None) -> str:
        """A reference's words for a thing, from its first describing word on."""
        caption = self.references[number].caption
        starts = [thing.place, *(place for _, place in (*thing.colours, *thing.attributes))]
        return caption.phrase(range(min([*starts, *([] if first is None else [first])]), thing.place + 1))


def listed(words: Iterable[str], most: int = 3) -> str:
    """`red`, `red` and `blue`"""
    found = list(dict.fromkeys(words))
    shown = [f'"{word}"' for word in found[:most]]
    more = len(found) - len(shown)
    if more:
        shown.append(f"{more} more")
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + f" and {shown[-1]}"


def references_say(count: int, of: int) -> str:
    return f"{count} of {of} references {'says' if count == 1 else 'say'}"
