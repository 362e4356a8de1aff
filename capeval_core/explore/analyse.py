"""explore() and analyse(): captions in, findings out, in input order; the one door to everything that judges words."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from capeval_core import pace
from capeval_core.explore import acts, colours, counts, form, objects, persons
from capeval_core.explore import support as backing
from capeval_core.explore.case import Case
from capeval_core.explore.facts import Facts, facts
from capeval_core.explore.findings import CaptionFindings, Error, Exploration
from capeval_core.explore.generic import generic
from capeval_core.explore.reading import Read, Reader
from capeval_core.shared import Shared
from capeval_core.types import Array, CaptionItem, Progress

PEOPLE = "people"
ITEMS_AT_ONCE = 500  # a caption's vectors take 20 KB
NO_REFERENCES = "No references: only the form of the caption is judged."
CONTENT: tuple[Callable[[Case], Iterator[Error]], ...] = (
    objects.invented_objects,
    colours.wrong_colours,
    colours.wrong_attributes,
    counts.wrong_counts,
    acts.wrong_actions,
    acts.swapped_roles,
    persons.wrong_persons,
    form.odd_lengths,
)
ALONE = (form.repetitions, form.broken_endings)
Judge = Callable[[Sequence[CaptionItem]], list[CaptionFindings]]


def explore(
    items: Iterable[CaptionItem],
    *,
    people: bool = True,
    spurts: Array | None = None,
    device: str = "auto",
    on_progress: Progress | None = None,
    shared: Shared | None = None,
    judge: Judge | None = None,
) -> Exploration:
    """The findings of all captions and, with `people`, of each reference against the others of its image.

    `spurts`: the captions' SPURTS, where it is known; without it a caption is generic only by its words.
    `judge`: what finds the rest, which each caption has by itself; other processes may."""
    batch = list(items)
    shared = shared or Shared(device, on_progress=on_progress)
    others = people_items(batch) if people else []
    found = judge([*batch, *others]) if judge else findings([*batch, *others], shared)
    rows = generic(batch, shared, spurts) | {row + len(batch): error for row, error in generic(others, shared).items()}
    for row, error in rows.items():
        found[row] = replace(found[row], errors=_ordered([*found[row].errors, error]))
    return Exploration(tuple(found[: len(batch)]), tuple(found[len(batch) :]))


def analyse(
    items: Iterable[CaptionItem],
    *,
    spurts: Array | None = None,
    device: str = "auto",
    on_progress: Progress | None = None,
    shared: Shared | None = None,
) -> list[CaptionFindings]:
    """The findings of the captions alone."""
    found = explore(items, people=False, spurts=spurts, device=device, on_progress=on_progress, shared=shared)
    return list(found.findings)


def people_items(items: Iterable[CaptionItem]) -> list[CaptionItem]:
    """Each reference of an image as a caption, against the image's other references; each image once."""
    references = {item.image_id: item.references for item in items if len(item.references) > 1}
    return [
        CaptionItem(image, text, (*texts[:number], *texts[number + 1 :]), PEOPLE)
        for image, texts in references.items()
        for number, text in enumerate(texts)
    ]


def findings(items: Sequence[CaptionItem], shared: Shared) -> list[CaptionFindings]:
    """In parts, captions of one image together, so that each text is read once; equal captions are judged once."""
    shared.parses(text for item in items for text in (item.candidate, *item.references))
    reader = Reader(shared)
    found: list[CaptionFindings | None] = [None] * len(items)
    order = sorted(range(len(items)), key=lambda row: items[row].image_id)
    parts = [order[start : start + ITEMS_AT_ONCE] for start in range(0, len(order), ITEMS_AT_ONCE)]
    for number, part in enumerate(parts):
        if shared.on_progress:
            shared.on_progress("Judging words", number, len(parts))
        texts = [text for row in part for text in (items[row].candidate, *items[row].references)]
        read = reader.read(texts)
        known = {text: facts(one.caption) for text, one in read.items()}
        judged: dict[tuple[str, tuple[str, ...]], CaptionFindings] = {}
        for row in pace.each(part):
            item = items[row]
            key = (item.candidate, item.references)
            if key not in judged:
                judged[key] = _judge(item, read, known)
            found[row] = _named(judged[key], item)
    return [one for one in found if one is not None]


def _named(found: CaptionFindings, item: CaptionItem) -> CaptionFindings:
    if (found.image_id, found.system) == (item.image_id, item.system):
        return found
    return replace(found, image_id=item.image_id, system=item.system)


def _judge(item: CaptionItem, read: dict[str, Read], known: dict[str, Facts]) -> CaptionFindings:
    candidate, references = read[item.candidate], tuple(read[text] for text in item.references)
    support = backing.compare(candidate, references)
    case = Case(candidate, known[item.candidate], references, tuple(known[text] for text in item.references), support)
    errors = [error for find in ALONE for error in find(case)]
    found = CaptionFindings(
        item.image_id, item.system, item.candidate, candidate.caption.text, size=len(candidate.words)
    )
    if not references:
        return replace(found, errors=_ordered(errors), note=NO_REFERENCES)
    words = backing.word_support(candidate, support)
    mentioned = backing.mentions(references, support)
    missed = backing.missed(candidate, mentioned, len(references))
    errors += [error for find in CONTENT for error in find(case)]
    errors += objects.missed_objects(case, missed)
    wrong = {error.spans for error in errors if error.kind == "wrong_person"}
    errors = [error for error in errors if error.kind != "invented_object" or error.spans not in wrong]  # said once
    ordered = _ordered(errors)
    return replace(
        found,
        support=words,
        noun_support=backing.noun_support(words),
        missed=missed,
        errors=ordered,
        telling=_telling(case, ordered),
        concepts=tuple(sys.intern(one) for one, by in mentioned.items() if len(by) >= min(2, len(references))),
        agreeing=max(map(len, mentioned.values()), default=0),
    )


def _ordered(errors: Sequence[Error]) -> tuple[Error, ...]:
    return tuple(sorted(errors, key=lambda error: -error.strength))


def _telling(case: Case, errors: Sequence[Error]) -> int | None:
    """The reference that shows the strongest error, else the one that backs the caption most."""
    shown = next((error.reference for error in errors if error.reference is not None), None)
    if shown is not None:
        return shown
    return max(range(len(case.references)), key=lambda number: case.support.cover[number], default=None)
