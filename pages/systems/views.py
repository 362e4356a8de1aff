"""The views of Systems: clouds, distributions, degradation. Only the one that is open computes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import streamlit as st

from capeval_core import registry
from capeval_core.analysis.systems import Analysis, SystemReport
from capeval_core.figures import spreads
from capeval_core.figures.evidence import Table
from capeval_core.figures.html import line_html, table_html
from capeval_core.figures.numbers import score
from capeval_core.figures.palette import Palette
from capeval_core.figures.spreads import Mean, Ridge
from capeval_core.figures.systems import Axis, Dot, Group, scatter
from capeval_core.figures.words import plural, short
from pages.shell import theme
from pages.systems import point, table, words
from pages.systems.scores import MOST_DECAYED, Scored
from pages.systems.state import BASES, SCALES, pick
from pages.widgets.evidence import QUIET, clicked
from pages.work.memory import recall

PANEL = 378  # pixels: three side by side on a wide screen, two on a narrow one


def clouds(scored: Scored, axes: tuple[str, str]) -> None:
    palette = theme.palette()
    analysis = scored.analysis(axes)
    with st.container(key="systems-split"):
        left, right = st.columns([1.08, 1], gap="large")
    with left:
        if analysis is None:
            _absent(scored, axes)
        else:
            sentence(words.said(analysis))
            _scatter(scored, analysis, axes, palette)
            st.html(line_html(f"{_sample(scored, analysis)} {words.overlap(analysis)}", palette, quiet=True))
            point.show(scored, axes, palette)
    with right:
        pick(st.segmented_control, "Each metric's", "basis", BASES, label_visibility="collapsed")
        found = table.rows(scored, analysis or scored.analysis(None))
        st.html(table.html(scored, found, palette))
        _legend(scored)


def sentence(text: str) -> None:
    st.html(line_html(text, theme.palette(), large=True))


def _absent(scored: Scored, axes: tuple[str, str]) -> None:
    """An axis without scores: still to come, not chosen, or not to be had."""
    for key in axes:
        if key in scored.failed:
            st.warning(f"{registry.get(key).label} could not score, so it cannot be an axis.")
            st.text(scored.failed[key])
        elif key and key not in scored.state.keys:
            st.info(f"{registry.get(key).label} is not among the metrics; choose it above.")
    if not any(axes) or axes[0] == axes[1]:
        st.info("Choose two different metrics.")
    elif all(key in scored.pending or key in scored.scores for key in axes):
        st.html(f'<div style="height:480px;border-radius:8px;background:{_wash()}"></div>')


def _wash() -> str:
    return theme.css_colours(theme.palette())["wash"]


def _scatter(scored: Scored, analysis: Analysis, axes: tuple[str, str], palette: Palette) -> None:
    state, data = scored.state, scored.data
    address = ("scatter", state.content, axes, state.reference, state.scale, state.size, state.shown, palette.dark)
    badges = tuple(table.word(scored, key) for key in axes)  # axes have a scale of their own

    def draw() -> object:
        shown = _shown(scored)
        groups = [_group(scored, analysis, one, shown) for one in analysis.systems]
        x, y = (_axis(key, mark) for key, mark in zip(axes, badges, strict=True))
        of = state.reference if state.scale == SCALES[0] else "the paper's people"
        unit = f"   (both in standard deviations of {short(of, 20)})"
        return scatter(palette, groups, Axis(x.title, x.better + unit), y)

    drawn = recall((*address, badges), draw)
    key = f"systems scatter {data.digest[:12]} {axes}"
    picked = st.plotly_chart(drawn, key=key, config=QUIET, theme=None, on_select="rerun", selection_mode="points")
    names = clicked(picked)
    if names and names[0].isdecimal() and int(names[0]) < len(data.items):
        state.point = int(names[0])


def _axis(key: str, mark: str) -> Axis:
    spec = registry.get(key)
    meaning = f"{words.MEANING[key]}: " if key in words.MEANING else ""
    title = f"{meaning}{spec.label}{f' ≈ {mark}' if mark else ''}"
    return Axis(title, "better" if spec.direction == "higher" else "worse")


def _sample(scored: Scored, analysis: Analysis) -> str:
    """How many of the captions are points."""
    shown, items = _shown(scored), scored.data.items
    rows = [row for one in analysis.systems if one.cloud for row in one.cloud.rows.tolist()]
    drawn = sum(items[row].image_id in shown for row in rows)
    return words.sample(len(shown), len(scored.data.images_rows), drawn, len(items))


def _shown(scored: Scored) -> set[str]:
    """A random sample of the images, the same for every captioner."""
    images = list(scored.data.images_rows)
    order = np.random.default_rng(0).permutation(len(images))[: scored.state.shown]
    return {images[place] for place in order}


def _group(scored: Scored, analysis: Analysis, one: SystemReport, shown: set[str]) -> Group:
    cloud, items = one.cloud, scored.data.items
    assert cloud is not None
    assert analysis.axes is not None
    dots = []
    for row, (x, y) in zip(cloud.rows.tolist(), cloud.points.tolist(), strict=True):
        if items[row].image_id in shown:
            scores = ", ".join(
                f"{registry.get(key).label} {score(float(scored.scores[key][row]))}" for key in analysis.axes
            )
            dots.append(Dot((x, y), str(row), (items[row].candidate, scores)))
    caption = items[cloud.centroid].candidate if cloud.centroid is not None else ""
    shape = cloud.ellipse
    outline = shape.polygon[::4] if shape and shape.axes[1] > 0 else ()
    reference = one.system == analysis.reference
    note = "" if reference or math.isnan(cloud.overlap) else f"overlap {score(cloud.overlap)}"
    note = "the reference" if reference else note
    return Group(one.system, tuple(dots), outline, shape.centre if shape else None, caption, note, reference)


def _legend(scored: Scored) -> None:
    text = (
        f"▲ better, ▼ worse than {short(scored.state.against, 20)}: paired bootstrap over images, p below .05, each "
        "comparison on its own."
    )
    given = [registry.get(key).label for key in scored.scores if key in scored.data.scores]
    if given:
        text += f" From the file, not scored again: {', '.join(given)}."
    st.html(line_html(text, theme.palette(), quiet=True))
    for key, reason in scored.failed.items():
        st.text(f"{registry.get(key).label} could not score: {reason}")


def distributions(scored: Scored) -> None:
    palette = theme.palette()
    if not scored.scores:
        st.info("Nothing is scored yet.")
        return
    sentence("How each captioner's captions are spread. Bar: the middle half; line: the median; hover for numbers.")
    panels = st.container(horizontal=True, gap="large", key="systems-panels")
    for key, values in scored.scores.items():
        rows = [Ridge(name, values[rows], name == scored.state.reference) for name, rows in scored.data.systems.items()]
        mark = table.badge(scored, key)
        with panels.container(width=PANEL):
            st.html(line_html(f"≈ {mark}" if mark else "", palette, bold=registry.get(key).label))
            st.plotly_chart(spreads.ridges(palette, rows), key=f"ridges {key}", config=QUIET, theme=None)


def degradation(scored: Scored) -> None:
    palette, state = theme.palette(), scored.state
    one, two, _ = st.columns([1, 1, 2])
    with one:
        pick(st.selectbox, "Metric", "decaying", registry.keys(), show=lambda key: registry.get(key).label)
    with two:
        pick(st.selectbox, "Captions of", "decayed", list(scored.data.systems))
    steps, error, count = scored.decay()
    name = registry.get(state.decaying).label
    all_of_them = len(scored.data.systems[state.decayed])
    lot = f", a random sample of {MOST_DECAYED} of {all_of_them:,}" if all_of_them > count else ""
    if error:
        st.text(f"No study: {error}")
    elif steps is None:
        waiting = "was stopped" if state.stopped else "is running"
        st.html(line_html(f"The study of {plural(count, 'caption')}{lot} {waiting}.", palette))
    else:
        first, last = steps[0].mean, steps[-1].mean
        falls = "falls" if last < first else "does not fall"
        sentence(
            f"{name} {falls} as words are replaced by random ones: {score(first)} as written, "
            f"{score(last)} with all of them replaced ({plural(count, 'caption')}{lot})."
        )
        means = [Mean(step.share, step.mean, step.low, step.high) for step in steps]
        with st.container(key="systems-split"):
            left, right = st.columns([1.3, 1], gap="large")
        mark = table.badge(scored, state.decaying)
        title = f"mean {name}{f' (≈ {mark})' if mark else ''}"
        left.plotly_chart(spreads.decay(palette, means, title), key="decay", config=QUIET, theme=None)
        columns: dict[str, Sequence[object]] = {
            "replaced": [f"{step.replaced:.0%}" for step in steps],
            f"mean {name}": [step.mean for step in steps],
            "one of the captions": [step.captions[0] for step in steps],
        }
        title = "The band: the 95 % interval, from 1,000 random draws of the captions"
        right.html(table_html(Table(title, columns), palette))
