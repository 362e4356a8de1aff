"""The captioners in a table: overlap with the reference captioner, grammar, every metric with its significance."""

from __future__ import annotations

import math
from dataclasses import replace

from capeval_core import registry
from capeval_core.analysis import systems
from capeval_core.analysis.bootstrap import Comparison
from capeval_core.analysis.systems import Analysis, SystemReport
from capeval_core.figures.numbers import change, score
from capeval_core.figures.palette import Palette
from capeval_core.figures.systems import colours
from capeval_core.figures.tables import Badge, Cell, Column, Grid, Row, render
from capeval_core.figures.words import short
from capeval_core.registry import MetricSpec
from pages.systems.scores import Scored
from pages.systems.state import BASES
from pages.widgets import columns, formats

SURE = 0.05
LONGEST = 14  # letters of a captioner: five of them stand side by side on a screen of 1440 pixels
NO_CORPUS = "the file has only each caption's value: choose the mean of captions"


def rows(scored: Scored, analysis: Analysis | None) -> list[Row]:
    """Each starts with its name; then one cell per captioner."""
    state = scored.state
    found = _clouds(scored, analysis) if analysis else []
    for place, key in enumerate(scored.scores):
        heading = f"{state.basis}, significance against {state.against}" if not place else ""
        found.append(_metric(scored, registry.get(key), heading))
    return found


def _clouds(scored: Scored, analysis: Analysis) -> list[Row]:
    found = []
    heading = f"against {analysis.reference}"
    if analysis.axes:
        x, y = (registry.get(key).label for key in analysis.axes)
        tip = f"share of the captioner's ellipse ({x} and {y}) that lies inside the reference captioner's; 1 is best"
        name = _name(scored, "Ellipse overlap", tip, *analysis.axes)
        found.append(Row((name, *(_overlap(one, analysis.reference) for one in analysis.systems)), heading))
    if systems.GRAMMAR in analysis.scales:
        tip = (
            f"how far below {systems.THRESHOLD} the standardised MIMA of odd captions lies: per 1,000 captions, and "
            "the sum over all of them, as in the paper; 0 is best"
        )
        name = replace(_name(scored, "Grammar penalty", tip, systems.GRAMMAR, sure=False), under="per 1,000 captions")
        cells = [_penalty(one) for one in analysis.systems]
        found.append(Row((name, *cells), "" if analysis.axes else heading))
    return found


def _penalty(one: SystemReport) -> Cell:
    """A captioner with more captions has the larger sum: per 1,000 captions they can be compared."""
    per_thousand = one.penalty * 1_000 / one.count if one.count else math.nan
    tip = f"{one.outliers:,} of {one.count:,} captions have a penalty"
    return Cell(f"{per_thousand:.1f}", f"sum {one.penalty:.2f}", tip)


def _overlap(one: SystemReport, reference: str) -> Cell:
    assert one.cloud is not None
    cloud = one.cloud
    known = not math.isnan(cloud.overlap_low) and one.system != reference
    between = f"{score(cloud.overlap_low)}–{score(cloud.overlap_high)}" if known else ""
    said = "95 % interval, from 1,000 random draws of the images" if known else ""
    return Cell(score(cloud.overlap), between, cloud.note or said)


def _name(scored: Scored, label: str, tip: str, *keys: str, sure: bool = True) -> Cell:
    """`sure`: of the keys' means, whose error is known."""
    mark = mean_badge(scored, *keys) if sure else word(scored, *keys)
    others = ", ".join(filter(None, (columns.differing(registry.get(key), scored.state.options) for key in keys)))
    said = " ".join(filter(None, (f"≈ {mark}" if mark else "", f"⚙ {others}" if others else "")))
    return Cell(label, tip=tip, bold=True, badge=Badge(said) if said else None)


def _metric(scored: Scored, spec: MetricSpec, heading: str) -> Row:
    tests = scored.comparisons(spec.key)
    cells = [_cell(scored, spec, name, tests) for name in scored.data.systems]
    return Row((_name(scored, spec.label, formats.tooltip(spec), spec.key), *cells), heading)


def _cell(scored: Scored, spec: MetricSpec, name: str, tests: dict[str, Comparison] | None) -> Cell:
    value, state = scored.value(spec.key, name), scored.state
    if math.isnan(value):
        given = state.basis == BASES[1] and spec.metric not in scored.evaluations
        return Cell(score(value), tip=NO_CORPUS if given else "no caption of this captioner has a value")
    text = score(value)
    if name == state.against:
        return Cell(text, tip=f"the others are compared with {state.against}")
    if tests is None:
        return Cell(text, "…", "significance is being computed")
    if name not in tests:
        return Cell(text, tip=f"no image in common with {state.against}")
    test = tests[name]
    if test.note:
        return Cell(text, tip=test.note)
    tip = (
        f"{change(test.difference)} against {state.against}, 95 % between {change(test.low)} and "
        f"{change(test.high)}; p = {test.p_value:.4f}, paired bootstrap over {test.images:,} images"
    )
    return Cell(text, f"{mark(spec, test)}p {probability(test.p_value)}", tip)


def mark(spec: MetricSpec, test: Comparison) -> str:
    """▲ surely better than the chosen captioner, ▼ surely worse."""
    if not test.p_value < SURE:
        return ""
    return "▲ " if (test.difference > 0) == (spec.direction == "higher") else "▼ "


def probability(value: float) -> str:
    return "<.001" if value < 0.001 else f"{value:.3f}".removeprefix("0")


def word(scored: Scored, *keys: str) -> str:
    """How close to the paper's number this one is: nothing, or one word."""
    words = {scored.stand_ins[key].word for key in keys if key in scored.stand_ins}
    return "estimated" if "estimated" in words else "stand-in" if words else ""


def badge(scored: Scored, key: str) -> str:
    """The same of single captions' values, with the error of an estimate."""
    return scored.stand_ins[key].short if key in scored.stand_ins else ""


def mean_badge(scored: Scored, *keys: str) -> str:
    """The same of captioners' means. Of few captions the mean is less sure; of what several keys make nobody knows."""
    found = scored.stand_ins.get(keys[0]) if len(keys) == 1 else None
    if found is None or not found.error or not found.mean_error:
        return word(scored, *keys)
    fewest = min(map(len, scored.data.systems.values()))
    return f"{found.word}, ± {math.hypot(found.mean_error, found.error / math.sqrt(fewest)):.3f}"


def html(scored: Scored, found: list[Row], palette: Palette) -> str:
    colour = colours(scored.data.systems, scored.state.reference, palette)
    heads = (
        Column(
            Cell(short(name, LONGEST), f"{len(rows):,} captions", name),
            rule=colour[name],
            dashed=name == scored.state.reference,
        )
        for name, rows in scored.data.systems.items()
    )
    return render(Grid((Column(align="left", names=True), *heads), tuple(found), full=True), palette)
