"""Two captioners side by side: the difference of each error's rate, paired by image, and what one fixes and breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from capeval_core.analysis import bootstrap
from capeval_core.analysis.williams import holm
from capeval_core.explore.findings import CaptionFindings
from capeval_core.explore.kinds import KINDS
from capeval_core.explore.profile import ANY, indicators, supports
from capeval_core.types import CaptionItem

SENTENCES = 3
CERTAIN = 0.05  # p after Holm's correction


@dataclass(frozen=True, slots=True)
class Difference:
    """Rates per 100 captions on the images both have."""

    kind: str  # of the table, or "any"
    system: float
    against: float
    difference: float  # system - against: below 0, fewer errors
    low: float
    high: float
    p_value: float
    corrected: float  # p after Holm's correction over the kinds
    images: int


@dataclass(frozen=True, slots=True)
class Change:
    """One image: the kinds of error that are gone, or new."""

    image_id: str
    system: int  # row of its caption
    against: int
    kinds: tuple[str, ...]
    strength: float  # of these errors together


@dataclass(frozen=True, slots=True)
class Comparison:
    system: str
    against: str
    images: int  # that both have
    differences: tuple[Difference, ...]  # in the table's order, "any" last
    noun_support: tuple[float, float, float]  # difference of the means, with its interval
    fixed: tuple[Change, ...]  # images where errors of `against` are gone and no other kind is new; strongest first
    broken: tuple[Change, ...]  # the reverse
    mixed: int  # images where some are gone and others new
    sentences: tuple[str, ...]  # the surest differences


def compare(
    findings: Sequence[CaptionFindings], system: str, against: str, *, samples: int = bootstrap.SAMPLES, seed: int = 0
) -> Comparison:
    items = [CaptionItem(one.image_id, one.candidate, (), one.system) for one in findings]
    columns = {**indicators(findings), "noun_support": supports(findings)}
    tests = bootstrap.compare_means(items, columns, system, against, samples=samples, seed=seed)
    support = tests.pop("noun_support")
    corrected = holm({"": {kind: test.p_value for kind, test in tests.items()}})[""]
    differences = tuple(
        Difference(
            kind,
            test.first,
            test.second,
            test.difference,
            test.low,
            test.high,
            test.p_value,
            corrected[kind],
            test.images,
        )
        for kind, test in tests.items()
    )
    pairs = _pairs(findings, system, against)
    changes = [_change(findings, image, *rows) for image, rows in pairs.items()]
    fixed = [gone for gone, new in changes if gone.kinds and not new.kinds]
    broken = [new for gone, new in changes if new.kinds and not gone.kinds]
    return Comparison(
        system,
        against,
        len(pairs),
        differences,
        (support.difference, support.low, support.high),
        tuple(sorted(fixed, key=lambda one: -one.strength)),
        tuple(sorted(broken, key=lambda one: -one.strength)),
        sum(bool(gone.kinds and new.kinds) for gone, new in changes),
        _sentences(differences, system, against),
    )


def _pairs(findings: Sequence[CaptionFindings], system: str, against: str) -> dict[str, tuple[int, int]]:
    """The first caption of each for every image both have."""
    rows: dict[str, dict[str, int]] = {system: {}, against: {}}
    for row, one in enumerate(findings):
        if one.system in rows:
            rows[one.system].setdefault(one.image_id, row)
    ours, theirs = rows[system], rows[against]
    return {image: (row, theirs[image]) for image, row in ours.items() if image in theirs}


def _change(findings: Sequence[CaptionFindings], image: str, system: int, against: int) -> tuple[Change, Change]:
    def change(has: int, lacks: int) -> Change:
        kinds = [kind for kind in KINDS if kind in findings[has].kinds - findings[lacks].kinds]
        strength = sum(error.strength for error in findings[has].errors if error.kind in kinds)
        return Change(image, system, against, tuple(kinds), round(strength, 3))

    return change(against, system), change(system, against)


def _sentences(differences: Sequence[Difference], system: str, against: str) -> tuple[str, ...]:
    """The surest differences, largest first: only those that are hardly chance."""
    sure = [one for one in differences if one.kind != ANY and one.corrected < CERTAIN]
    sure.sort(key=lambda one: -abs(one.difference))
    return tuple(
        f"{KINDS[one.kind].label}: {one.system:.1f} of 100 captions of {system or '-'}, {one.against:.1f} of "
        f"{against or '-'} (difference {one.difference:+.1f}, 95 % interval {one.low:+.1f} to {one.high:+.1f})."
        for one in sure[:SENTENCES]
    )
