"""perturb(): captions in, changed captions out; the one door to everything in this folder."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from capeval_core import pace
from capeval_core.errors import InvalidInput
from capeval_core.perturb import caption as captions
from capeval_core.perturb import colours, distractors, faults, omissions, order, redundancy, roles, swaps, synonyms
from capeval_core.perturb.caption import Caption
from capeval_core.perturb.distractors import Corpus
from capeval_core.perturb.kinds import Kind, select
from capeval_core.perturb.variant import CannotMake, Draft, Variant, Variants
from capeval_core.shared import Shared
from capeval_core.types import CaptionItem, Progress

CORPUS_CAPTIONS = 6_000  # of a larger data set a sample is read: enough persons and scenes for everyone
TRIES = 12  # for each variant asked for, before the kind is held to be exhausted
CHECKED = "synonyms"  # parsed again: nothing else promises to keep the parts of speech
SAME = "every attempt gave the caption back, or a variant made before"
NO_WORDS = "the caption has no words"


@dataclass(frozen=True, slots=True)
class _Case:
    item: CaptionItem
    caption: Caption
    references: tuple[Caption, ...]
    corpus: Corpus
    refused: set[synonyms.Place] = field(default_factory=set)  # words that did not keep their part of speech


Maker = Callable[[_Case, int, random.Random], Draft]


def _with_corpus(make: Callable[..., Draft]) -> Maker:
    return lambda case, strength, rng: make(
        case.caption, case.references, case.corpus, case.item.image_id, strength, rng
    )


def _with_references(make: Callable[..., Draft]) -> Maker:
    return lambda case, strength, rng: make(case.caption, case.references, strength, rng)


def _alone(make: Callable[..., Draft]) -> Maker:
    return lambda case, strength, rng: make(case.caption, strength, rng)


MAKERS: dict[str, Maker] = {
    "synonyms": lambda case, strength, rng: synonyms.synonyms(case.caption, strength, rng, frozenset(case.refused)),
    "extra_phrase": _with_references(redundancy.extra_phrase),
    "reference_phrase": _with_references(redundancy.reference_phrase),
    "fronted": _alone(order.fronted),
    "swapped_clauses": _alone(swaps.swapped_clauses),
    "shuffled": _alone(order.shuffled),
    "reversed": _alone(order.reversed_order),
    "wrong_colour": _with_references(colours.wrong_colour),
    "wrong_count": _with_references(faults.wrong_count),
    "swapped_roles": _alone(roles.swapped_roles),
    "negation": _alone(roles.negation),
    "repeated_phrase": _alone(omissions.repeated_phrase),
    "dropped_object": _alone(omissions.dropped_object),
    "truncated": _alone(omissions.truncated),
    "hypernym": _alone(faults.hypernym),
    "typo": _alone(faults.typo),
    "replace_person": _with_corpus(distractors.replace_person),
    "replace_scene": _with_corpus(distractors.replace_scene),
    "share_person": _with_corpus(distractors.share_person),
    "share_scene": _with_corpus(distractors.share_scene),
    "just_person": lambda case, strength, rng: distractors.just_person(case.caption),
    "just_scene": lambda case, strength, rng: distractors.just_scene(case.caption),
}


def perturb(
    items: CaptionItem | Iterable[CaptionItem],
    kinds: Iterable[str] | None = None,
    *,
    strength: int = 1,
    seed: int = 0,
    variants: int = 1,
    corpus: Iterable[CaptionItem] | None = None,
    shared: Shared | None = None,
    on_progress: Progress | None = None,
) -> Variants:
    """Up to `variants` changed candidates per item and kind; `.missing` says why there are none.

    `kinds` are keys or families of the table of kinds. `corpus` is a data set to take other persons and scenes from.
    What an item gets depends on the item, the arguments and the corpus, not on the other items.
    """
    batch = [items] if isinstance(items, CaptionItem) else list(items)
    chosen = select(kinds)
    for name, value, allowed in (("strength", strength, range(1, 4)), ("variants", variants, range(1, 101))):
        if type(value) is not int or value not in allowed:
            expected = f"a whole number from {allowed.start} to {allowed.stop - 1}"
            raise InvalidInput(name, expected=expected, found=repr(value))
    shared = shared or Shared(on_progress=on_progress)
    cases = _read(batch, chosen, corpus, seed, shared)
    numbered = pace.each(enumerate(cases))
    runs = [_Run(number, case, kind, strength, seed, variants) for number, case in numbered for kind in chosen]
    _make_checked([run for run in runs if run.kind.key == CHECKED], shared)
    found = Variants()
    for run in shared.track("Changing captions", runs, len(runs)):
        if run.kind.key != CHECKED:
            _make(run)
        found += run.made
        if not run.made:
            found.missing[run.number, run.kind.key] = run.reason
    return found


def _read(
    batch: Sequence[CaptionItem], kinds: Sequence[Kind], corpus: Iterable[CaptionItem] | None, seed: int, shared: Shared
) -> list[_Case]:
    """Every text is parsed once, all of them in one go."""
    wanted = any(kind.family == "distractors" for kind in kinds)
    others = _sample(corpus if wanted and corpus is not None else (), seed)
    texts = [text for item in batch for text in (item.candidate, *item.references)] + [text for _, text in others]
    unique = list(dict.fromkeys(texts))
    parsed = pace.each(zip(unique, shared.parses(unique), strict=True))
    known = {text: captions.read(text, parses) for text, parses in parsed}
    library = Corpus((image, known[text]) for image, text in pace.each(others))
    return [
        _Case(item, known[item.candidate], tuple(known[text] for text in item.references), library) for item in batch
    ]


def _sample(corpus: Iterable[CaptionItem], seed: int) -> list[tuple[str, str]]:
    texts = {(item.image_id, text): None for item in corpus for text in (item.candidate, *item.references)}
    found = list(texts)
    return found if len(found) <= CORPUS_CAPTIONS else random.Random(seed).sample(found, CORPUS_CAPTIONS)


class _Run:
    """One kind of change on one caption: drafts, each by its own seed, until there are enough variants or tries."""

    def __init__(self, number: int, case: _Case, kind: Kind, strength: int, seed: int, variants: int) -> None:
        self.number, self.case, self.kind = number, case, kind
        self.strength, self.seed, self.variants = strength, seed, variants
        self.made: list[Variant] = []
        self.reason = SAME if case.caption.words else NO_WORDS
        self._seen = {_normal(case.item.candidate), _normal(case.caption.text)}
        self._tries = iter(range(TRIES * variants if case.caption.words else 0))

    def next(self) -> Draft | None:
        """A draft that is new; None when it is over."""
        item, kind = self.case.item, self.kind.key
        for attempt in self._tries if len(self.made) < self.variants else ():
            rng = random.Random(f"{self.seed}|{kind}|{self.strength}|{attempt}|{item.image_id}|{item.candidate}")
            try:
                draft = MAKERS[kind](self.case, self.strength, rng)
            except CannotMake as error:
                self.reason = str(error)
                return None
            if _normal(draft.text) and _normal(draft.text) not in self._seen:
                return draft
        return None

    def keep(self, draft: Draft) -> None:
        self._seen.add(_normal(draft.text))
        made = len(self.made)
        self.made.append(
            Variant(self.number, self.kind.key, draft.text, draft.spans, draft.change, self.strength, self.seed, made)
        )


def _make(run: _Run) -> None:
    while (draft := run.next()) is not None:
        run.keep(draft)


def _make_checked(runs: Sequence[_Run], shared: Shared) -> None:
    """Every caption's next draft is parsed in one go with the others'; those that are misread try again."""
    drafts = [(run, draft) for run in pace.each(runs) if (draft := run.next()) is not None]
    while drafts:
        parses = shared.parses([draft.text for _, draft in drafts])
        for (run, draft), parsed in pace.each(zip(drafts, parses, strict=True)):
            wrong = synonyms.misread(run.case.caption, parsed)
            if wrong:
                run.case.refused.update(wrong)
            elif wrong is not None:
                run.keep(draft)
        drafts = [(run, draft) for run, _ in pace.each(drafts) if (draft := run.next()) is not None]


def _normal(text: str) -> str:
    """Captions that differ in case, spaces or the full stop only are the same."""
    return " ".join(text.lower().split()).rstrip(" .")
