"""Tables of metrics against people, from a finished judging: who agrees best, what is right on pairs, what adds up."""

from __future__ import annotations

import math
from collections.abc import Mapping

from capeval_core import registry
from capeval_core.analysis.agreement import Agreement
from capeval_core.analysis.complementarity import Complementarity
from capeval_core.analysis.correlations import Estimate, Quality
from capeval_core.analysis.pairs import Accuracy
from capeval_core.figures.numbers import UNDEFINED, change, score
from capeval_core.figures.palette import Palette
from capeval_core.figures.tables import Bar, Cell, Column, Grid, Row

COEFFICIENTS = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall_b": "Kendall tau-b",
    "kendall_c": "Kendall tau-c",
}


def name(key: str) -> str:
    return registry.get(key).label if key in registry.keys() else key


def colour(key: str, palette: Palette) -> str:
    """That of its group of metrics."""
    group = registry.GROUPS.index(registry.get(key).group) if key in registry.keys() else -1
    return palette.groups[group] if group >= 0 else palette.neutral


def by_value(metrics: Mapping[str, Quality], headline: str) -> list[str]:
    """The keys, best first; what is undefined last."""
    values = {key: quality.of(headline).value for key, quality in metrics.items()}
    return sorted(values, key=lambda key: -values[key] if math.isfinite(values[key]) else math.inf)


def agreement_grid(
    metrics: Mapping[str, Quality],
    headline: str,
    letters: Mapping[str, str],
    palette: Palette,
    ceiling: float = math.nan,
) -> Grid:
    """Which metric agrees best with people? One row per metric, best first; the bar is the headline coefficient with
    its interval, `ceiling` a tick on it."""
    order = by_value(metrics, headline)
    others = [one for one in COEFFICIENTS if one != headline]
    columns = (
        Column(Cell("metric"), "left", names=True),
        Column(Cell(COEFFICIENTS[headline])),
        Column(Cell("95 % interval")),
        Column(Cell("", tip="the line is the interval"), wide=True),
        *(Column(Cell(COEFFICIENTS[one])) for one in others),
        *(
            [
                Column(
                    Cell(
                        "letters",
                        tip="metrics that share one cannot be told apart: Williams' test of Pearson's correlations",
                    )
                )
            ]
            if letters
            else []
        ),
    )
    ends = [metrics[key].of(headline).high for key in order] + [ceiling]
    most = max((end for end in ends if math.isfinite(end)), default=1.0)
    rows = []
    for place, key in enumerate(order):
        quality = metrics[key]
        found = quality.of(headline)
        cells = [
            Cell(name(key)),
            Cell(score(found.value), bold=place == 0),
            Cell(_interval(found), faint=True),
            Cell(bar=_bar(found, most, colour(key, palette), ceiling)),
            *(_coefficient(one, quality, metrics) for one in others),
        ]
        rows.append(Row((*cells, *([Cell(letters.get(key, UNDEFINED))] if letters else []))))
    return Grid(columns, tuple(rows), full=True)


def _coefficient(one: str, quality: Quality, metrics: Mapping[str, Quality]) -> Cell:
    values = [other.of(one).value for other in metrics.values()]
    best = max((value for value in values if math.isfinite(value)), default=math.nan)
    found = quality.of(one)
    return Cell(score(found.value), tip=_interval(found), bold=found.value == best)


def _interval(found: Estimate) -> str:
    return f"{score(found.low)} to {score(found.high)}" if math.isfinite(found.low) else ""


def _bar(found: Estimate, most: float, colour: str, ceiling: float = math.nan) -> Bar | None:
    """From 0; a negative value has no bar."""
    if not math.isfinite(found.value) or most <= 0:
        return None

    def share(value: float) -> float:
        return min(max(value / most, 0.0), 1.0)

    span = (share(found.low), share(found.high)) if math.isfinite(found.low) else None
    ticks = (share(ceiling),) if math.isfinite(ceiling) else ()
    return Bar(0.0, share(found.value), colour, ticks, span)


def pairs_grid(
    pairs: Mapping[str, Mapping[str, Accuracy]],
    palette: Palette,
    published: Mapping[str, Mapping[str, float]] | None = None,
) -> Grid:
    """Which metric prefers what people prefer? One row per metric, one column per group, in per cent; in brackets what
    was published, by metric and group."""
    groups = list(pairs)
    keys = list(pairs[groups[0]]) if groups else []
    means = {key: sum(pairs[group][key].accuracy for group in groups) / len(groups) for key in keys}
    order = sorted(keys, key=lambda key: -means[key] if math.isfinite(means[key]) else math.inf)
    best = {group: max((pairs[group][key].accuracy for key in keys), default=math.nan) for group in groups}
    columns = (
        Column(Cell("metric"), "left", names=True),
        *(Column(Cell(group, f"{max(one.count for one in pairs[group].values()):,} pairs")) for group in groups),
        *([Column(Cell("mean"))] if len(groups) > 1 else []),
        Column(wide=True),
    )
    rows = []
    for key in order:
        beside = {group: f"({_percent(share)})" for group, share in (published or {}).get(key, {}).items()}
        cells = [_share(pairs[group][key], best[group], beside.get(group, "")) for group in groups]
        mean = Cell(_percent(means[key]), bold=key == order[0], beside=beside.get("mean", ""))
        cells += [mean] if len(groups) > 1 else []
        share = 0.0 if math.isnan(means[key]) else means[key]
        rows.append(Row((Cell(name(key)), *cells, Cell(bar=Bar(0.0, share, colour(key, palette), (0.5,))))))
    return Grid(columns, tuple(rows), note="Ties count half; the tick is chance.", full=True)


def _share(found: Accuracy, best: float, beside: str) -> Cell:
    under = f"{_percent(found.low)} to {_percent(found.high)}" if math.isfinite(found.low) else ""
    tip = f"{found.ties} ties of {found.count}"
    return Cell(_percent(found.accuracy), under, tip, bold=found.accuracy == best, beside=beside)


def _percent(share: float) -> str:
    return UNDEFINED if math.isnan(share) else f"{100 * share:.1f}"


def weights_grid(found: Complementarity, palette: Palette) -> Grid:
    """What would the best combination be made of? Weights of standardised scores, and what is lost without each."""
    order = sorted(found.weights, key=lambda key: -found.weights[key])
    most = max(found.weights.values(), default=1.0) or 1.0
    columns = (
        Column(Cell("metric"), "left", names=True),
        Column(Cell("weight")),
        Column(wide=True),
        Column(Cell("alone", tip="Pearson's correlation of the metric by itself")),
        Column(Cell("lost without it", tip="how far the combination's Pearson falls"), wraps=True),
    )
    rows = tuple(
        Row((
            Cell(name(key)),
            Cell(score(found.weights[key]), faint=not found.weights[key]),
            Cell(bar=Bar(0.0, found.weights[key] / most, colour(key, palette))),
            Cell(score(found.alone[key])),
            Cell(change(found.lost[key] if abs(found.lost[key]) >= 0.0005 else 0.0)),
        ))
        for key in order
    )  # fmt: skip
    best = found.best.pearson
    note = (
        f"Together: Pearson {score(best.value)} ({_interval(best)}) on captions the weights were not fitted to, "
        f"in {found.folds} folds of images."
    )
    return Grid(columns, rows, note=note, full=True)


def raters_grid(found: Agreement) -> Grid:
    """How well do people agree with each other? Each rater, and any rating, against the mean of the others."""
    columns = (Column(Cell("rater"), "left", names=True), *(Column(Cell(text)) for text in COEFFICIENTS.values()))
    named = {"any rating": found.one, **found.raters}
    rows = tuple(
        Row((Cell(who), *(Cell(score(one.of(each).value), tip=_interval(one.of(each))) for each in COEFFICIENTS)))
        for who, one in named.items()
    )
    alpha = f"{score(found.alpha.value)} ({_interval(found.alpha)})"
    return Grid(columns, rows, note=f"Krippendorff's alpha (ordinal) {alpha}; {found.captions:,} captions.")
