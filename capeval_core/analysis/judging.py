"""Metrics against people: everything that ratings, pairs and scores say together, as one result of plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from capeval_core import registry
from capeval_core.analysis import agreement, between, bootstrap, complementarity, williams
from capeval_core.analysis import pairs as choices
from capeval_core.analysis.agreement import Agreement
from capeval_core.analysis.by_rating import Level, by_rating
from capeval_core.analysis.coefficients import NAMES
from capeval_core.analysis.complementarity import Complementarity
from capeval_core.analysis.correlations import Estimate, Quality, qualities
from capeval_core.analysis.pairs import Accuracy
from capeval_core.analysis.ratings import as_table, gather
from capeval_core.analysis.williams import Matrix
from capeval_core.errors import InvalidInput
from capeval_core.types import Array, CaptionItem, Progress

FEWEST_CAPTIONERS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Judging:
    """By metric key, in the order of the scores. Parts that do not apply are empty or None."""

    rows: int  # rated captions, pairs, or rated captioners
    headline: str  # of coefficients.NAMES, or "accuracy"
    metrics: dict[str, Quality] = field(default_factory=dict)
    williams: Matrix = field(default_factory=dict)  # p that the row's metric agrees better than the column's
    between: Matrix = field(default_factory=dict)  # Spearman's rho, ordered by similarity
    pairs: dict[str, dict[str, Accuracy]] = field(default_factory=dict)  # by group
    overall: dict[str, Accuracy] = field(default_factory=dict)  # the mean over the groups of pairs
    right: Matrix = field(default_factory=dict)  # p that the row's metric is right on pairs more often
    agreement: Agreement | None = None
    by_rating: dict[str, tuple[Level, ...]] = field(default_factory=dict)
    complementarity: Complementarity | None = None
    captioners: dict[str, Quality] = field(default_factory=dict)  # of the captioners' means, where there are enough
    protocol: str = ""
    signatures: dict[str, str] = field(default_factory=dict)
    stand_ins: dict[str, str] = field(default_factory=dict)  # what stands in for the original behind a metric


class Pairs(Protocol):
    """Rows of the two captions of each pair, who won ("first", "second", "tie"), and the pair's group."""

    @property
    def first(self) -> Sequence[int]: ...
    @property
    def second(self) -> Sequence[int]: ...
    @property
    def winners(self) -> Sequence[str]: ...
    @property
    def groups(self) -> Sequence[str]: ...


@dataclass(frozen=True, slots=True)
class Settings:
    """How the ratings are taken, which coefficient counts, and how often images are drawn."""

    way: str = "flatten"
    headline: str = "kendall_c"
    samples: int = bootstrap.SAMPLES
    seed: int = 0


DEFAULT = Settings()


def judge(
    items: Sequence[CaptionItem],
    scores: Mapping[str, Array],
    *,
    ratings: Sequence[Sequence[float]] = (),
    raters: Sequence[str] = (),
    pairs: Pairs | None = None,
    captioners: Mapping[str, Sequence[float]] | None = None,
    settings: Settings = DEFAULT,
    on_progress: Progress | None = None,
) -> Judging:
    """By what people judged: pairs of the items, whole captioners, or (one list of ratings per item) captions."""
    images, systems = [item.image_id for item in items], [item.system for item in items]
    if pairs is not None:
        return judge_pairs(scores, pairs, images, settings)
    if captioners:
        return judge_captioners(scores, systems, captioners, settings)
    table = as_table(ratings)
    return judge_captions(scores, table, images, systems, settings, raters=raters, on_progress=on_progress)


def judge_captions(
    scores: Mapping[str, Array],
    ratings: Array,
    images: Sequence[str],
    captioners: Sequence[str],
    settings: Settings = DEFAULT,
    *,
    raters: Sequence[str] = (),
    on_progress: Progress | None = None,
) -> Judging:
    """One value per caption in every sequence; `ratings` is (captions, raters), NaN where somebody did not answer.

    Scores of which lower is better count with the other sign, so that agreement is always positive."""
    scores = _checked(scores, len(images))
    rated = gather(ratings, settings.way)
    beside = {key: values[rated.rows] for key, values in _oriented(scores).items()}
    names = [images[row] for row in rated.rows.tolist()]
    captions = int(np.isfinite(ratings).any(axis=1).sum())
    several = _several_captioners(beside, rated.values, [captioners[row] for row in rated.rows.tolist()], settings)
    return Judging(
        rows=captions,
        headline=settings.headline,
        metrics=qualities(
            beside, rated.values, names, samples=settings.samples, seed=settings.seed, on_progress=on_progress
        ),
        williams=williams.compare(beside, rated.values, captions),
        between=between.compare(scores),
        agreement=agreement.agree(ratings, images, raters, samples=settings.samples, seed=settings.seed),
        by_rating={key: by_rating(values[rated.rows], rated.values) for key, values in scores.items()},
        complementarity=complementarity.complement(
            beside, rated.values, names, samples=settings.samples, seed=settings.seed
        ),
        captioners=several,
    )


def judge_pairs(
    scores: Mapping[str, Array],
    pairs: Pairs,
    images: Sequence[str],
    settings: Settings = DEFAULT,
) -> Judging:
    """One image per row of the scores."""
    scores = _checked(scores, len(images))
    oriented = _oriented(scores)
    sides = [{key: values[list(rows)] for key, values in oriented.items()} for rows in (pairs.first, pairs.second)]
    owners = [images[row] for row in pairs.first]
    return Judging(
        rows=len(pairs.winners),
        headline="accuracy",
        between=between.compare(scores),
        pairs=choices.accuracies(
            sides[0], sides[1], pairs.winners, pairs.groups, owners, samples=settings.samples, seed=settings.seed
        ),
        overall=choices.overall(
            sides[0], sides[1], pairs.winners, pairs.groups, owners, samples=settings.samples, seed=settings.seed
        ),
        right=choices.compare(sides[0], sides[1], pairs.winners, owners),
    )


def judge_captioners(
    scores: Mapping[str, Array],
    captioners: Sequence[str],
    ratings: Mapping[str, Sequence[float]],
    settings: Settings = DEFAULT,
) -> Judging:
    """System level: the mean score of each captioner beside its ratings; one captioner per row of the scores."""
    scores = _checked(scores, len(captioners))
    names = [name for name in dict.fromkeys(captioners) if np.isfinite(ratings.get(name, ())).any()]
    means = _means(_oriented(scores), captioners, names)
    rated = np.array([np.nanmean(ratings[name]) for name in names])
    return Judging(
        rows=len(names),
        headline="pearson" if settings.headline == "accuracy" else settings.headline,
        metrics=qualities(means, rated, names, samples=settings.samples, seed=settings.seed),
        williams=williams.compare(means, rated),
        between=between.compare(scores),
        complementarity=complementarity.complement(means, rated, names, samples=settings.samples, seed=settings.seed),
    )


def _several_captioners(
    scores: Mapping[str, Array], ratings: Array, captioners: Sequence[str], settings: Settings
) -> dict[str, Quality]:
    """Means of captions over means of their ratings; too few captioners say nothing."""
    names = [name for name in dict.fromkeys(captioners) if name]
    if len(names) < FEWEST_CAPTIONERS:
        return {}
    rated = _means({"": ratings}, captioners, names)[""]
    return qualities(_means(scores, captioners, names), rated, names, samples=settings.samples, seed=settings.seed)


def _means(columns: Mapping[str, Array], captioners: Sequence[str], names: Sequence[str]) -> dict[str, Array]:
    """Of each captioner in `names`, over the defined values."""
    owners = np.array(captioners)
    found = {}
    for key, values in columns.items():
        known = [values[(owners == name) & np.isfinite(values)] for name in names]
        found[key] = np.array([one.mean() if len(one) else np.nan for one in known])
    return found


def _checked(scores: Mapping[str, Array], rows: int) -> dict[str, Array]:
    for key, values in scores.items():
        if len(values) != rows:
            raise InvalidInput(f"scores of {key!r}", expected=f"{rows} values", found=str(len(values)))
    return dict(scores)


def _oriented(scores: Mapping[str, Array]) -> dict[str, Array]:
    lower = {key for key in scores if key in registry.keys() and registry.get(key).direction == "lower"}
    return {key: -values if key in lower else values for key, values in scores.items()}


def as_json(found: Judging, correction: str = "none") -> dict[str, Any]:
    """The shape that `judge --out` writes; NaN is left to the writer. `correction` "holm": of the p values."""
    parts: dict[str, Any] = {
        "protocol": found.protocol,
        "rows": found.rows,
        "metrics": {key: _coefficients(quality) for key, quality in found.metrics.items()},
        "williams": williams.holm(found.williams) if correction == "holm" else found.williams,
        "between": found.between,
        "pairs": {group: {key: _share(one) for key, one in row.items()} for group, row in found.pairs.items()},
        "agreement": _agreement(found.agreement) if found.agreement else {},
        "signatures": found.signatures,
    }
    return {name: part for name, part in parts.items() if part or name in ("protocol", "rows")}


def _coefficients(quality: Quality) -> dict[str, dict[str, float]]:
    return {name: _estimate(quality.of(name)) for name in NAMES}


def _estimate(found: Estimate) -> dict[str, float]:
    return {"value": found.value, "low": found.low, "high": found.high}


def _share(found: Accuracy) -> dict[str, float]:
    return {"accuracy": found.accuracy, "low": found.low, "high": found.high, "count": found.count}


def _agreement(found: Agreement) -> dict[str, Any]:
    parts: dict[str, Any] = {"alpha": _estimate(found.alpha), "captions": found.captions}
    parts["one_against_others"] = _coefficients(found.one)
    parts["raters"] = {name: _coefficients(quality) for name, quality in found.raters.items()}
    return {name: part for name, part in parts.items() if part}
