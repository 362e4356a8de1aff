"""The Guide's views of metrics and resources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from capeval_core import CapEvalError, CaptionItem, registry
from capeval_core.figures.charts import tint
from capeval_core.figures.html import line_html
from capeval_core.figures.numbers import relative_change, score
from capeval_core.figures.palette import Palette
from capeval_core.figures.tables import Bar, Cell, Column, Grid, Row, render
from capeval_core.metrics.typicality.reliability import reliability
from capeval_core.perturb import KINDS
from capeval_core.registry import MetricSpec
from capeval_core.resources import doctor
from pages.guide import guides, state
from pages.shell import theme
from pages.widgets import choice, evidence, formats, progress, stand_ins
from pages.work import cells, session

WITHIN = 1.5  # seconds an answer waits for scores


def names() -> dict[str, str]:
    """The metrics by group, each with its label."""
    specs = {spec.metric: spec for spec in registry.select(None)}
    ordered = [name for group in registry.GROUPS for name, spec in specs.items() if spec.group == group]
    return {name: "BLEU" if name == "bleu" else specs[name].label for name in ordered}


def metric_card() -> None:
    labels, shown = names(), state.current()
    state.pick_metric(shown, labels)
    name = shown.metric
    spec = next(one for one in registry.select(None) if one.metric == name)  # of BLEU's four rows the first
    guide = guides.guide(name)
    text, toy = st.columns([1, 1.1], gap="large")
    with text:
        st.subheader(labels[name], anchor=False)
        st.markdown(guide.sections["Idea"])
        st.markdown(guide.sections["Formula"])
        good, bad = st.columns(2)
        good.markdown("**Good at**\n\n" + guide.sections["Good at"])
        bad.markdown("**Fooled by**\n\n" + guide.sections["Fooled by"])
    with toy:
        keys = [key for key in registry.keys() if registry.get(key).metric == name]
        scored = _toy(guide, keys)
        st.html(render(facts(spec, keys, scored), theme.palette()))


def _toy(guide: guides.Guide, keys: list[str]) -> cells.Cell | None:
    """Two captions to edit, their scores and what the metric says of each; a cell that tells how they were made."""
    typed = guide.metric in state.current().typed
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.markdown("**Try it**", width="content")
        st.button(
            "Back to the example", icon=":material/restart_alt:", type="tertiary", disabled=not typed,
            on_click=state.reset, args=(guide.metric,), key="toy reset",
        )  # fmt: skip
    references: tuple[str, ...] = ()
    if guide.references:
        lines = _box(guide.metric, "references", "References, one per line", "\n".join(guide.references))
        references = tuple(line.strip() for line in lines.splitlines() if line.strip())
        if not references:
            st.info("Write at least one reference: this metric compares with what people wrote.")
            return None
    captions = [
        _box(guide.metric, letter, f"Caption {letter}", text) for letter, text in zip("AB", guide.captions, strict=True)
    ]
    items = [CaptionItem("guide", caption, references) for caption in captions]
    store, owner = cells.cells(), session.owner("guide")
    store.want(owner, items, keys)
    if store.wait(items, keys, None, WITHIN):
        progress.show(owner)
        return None
    scored = {key: [cell for item in items if (cell := store.get(item, key))] for key in keys}
    _scores(items, scored)
    st.caption(f"Look: {guide.look}")
    return scored[keys[-1]][0]


def _box(metric: str, box: str, label: str, example: str) -> str:
    """A box to type in, and what stands there."""
    key = f"toy_{box}_{metric}"
    choice.hold(key, state.text(metric, box, example))
    widget, most = (st.text_area, 5_000) if box == "references" else (st.text_input, 2_000)
    found: str = widget(
        label, key=key, max_chars=most, on_change=lambda: state.write(metric, box, st.session_state[key], example)
    )
    return found


def _scores(items: Sequence[CaptionItem], scored: Mapping[str, Sequence[cells.Cell]]) -> None:
    palette, key = theme.palette(), list(scored)[-1]
    failed = [cell.note for found in scored.values() for cell in found if cell.failed]
    if failed:
        st.warning("This metric could not score.", icon=":material/block:")
        st.text(failed[0])  # may quote the visitor: never markdown
        return
    st.html(render(bars({key: [cell.value for cell in found] for key, found in scored.items()}, palette), palette))
    for letter, item in zip("AB", items, strict=True):
        try:
            sentence = evidence.find(item, key, {}, palette).sentence
        except CapEvalError as error:
            sentence = str(error)
        st.html(line_html(sentence, palette, bold=letter))


def bars(values: Mapping[str, Sequence[float]], palette: Palette) -> Grid:
    """One row per metric and caption: its name, a bar on the metric's own scale, the number."""
    rows = []
    for key, found in values.items():
        spec = registry.get(key)
        low, high = spec.bounds
        colour = theme.group_colour(palette, spec.group)
        for letter, value in zip("AB", found, strict=True):
            share = min(max((value - low) / (high - low), 0.0), 1.0)
            name = Cell(f"{spec.label} {letter}", faint=True)
            rows.append(Row((name, Cell(bar=Bar(0.0, share, colour)), Cell(score(value)))))
    return Grid((Column(align="left", names=True), Column(wide=True), Column()), tuple(rows), full=True)


def facts(spec: MetricSpec, keys: list[str], scored: cells.Cell | None) -> Grid:
    human = guides.measured()["human"]
    found = {"Range": formats.scale(spec)}
    for key in keys:
        if key in human["values"]:
            low, middle, high = (score(human["values"][key][name]) for name in ("p10", "median", "p90"))
            label = f"People reach ({registry.get(key).label})" if len(keys) > 1 else "People reach"
            found[label] = f"{low} to {high}, half of them over {middle} ({human['source']})"
    found["Paper"] = spec.paper
    found["Resources"] = ", ".join(spec.resources) or "none"
    if scored and scored.signature:
        found["Signature"] = scored.signature
    if scored and scored.stand_in:
        found[scored.stand_in.word.capitalize()] = " ".join(stand_ins.about(scored.stand_in))
    rows = tuple(Row((Cell(name, faint=True), Cell(text))) for name, text in found.items())
    return Grid((Column(align="left", names=True), Column(align="left", wide=True)), rows, full=True)


def sensitivities() -> None:
    """Measured: the mean relative change of every metric under each kind of change."""
    found = guides.measured()["sensitivity"]
    st.text(found["source"])
    st.html(render(changes(found, theme.palette()), theme.palette()))
    st.caption(
        "How the mean score changes when every caption is changed in this way. "
        "Bold: the 95 % interval does not include 0. "
        "?: the score is an estimate that is not fit for such a change."
    )
    st.page_link("pages/judges/page.py", label="How well each metric agrees with people", icon=":material/balance:")


def changes(found: Mapping[str, Any], palette: Palette) -> Grid:
    """One row per metric, one column per kind of change."""
    columns = [Column(align="left", names=True), *(Column(Cell(kind), wraps=True) for kind in found["kinds"])]
    rows = [
        Row(
            (
                Cell(registry.get(key).label),
                *(_change(found["values"][key][kind], palette, kind in _unfit(key)) for kind in found["kinds"]),
            )
        )
        for key in registry.keys()
        if key in found["values"]
    ]
    return Grid(tuple(columns), tuple(rows))


def _unfit(key: str) -> set[str]:
    """Labels of the kinds of change that an estimate behind the metric is not fit for."""
    known = reliability()
    return {KINDS[kind].label for kind in known.unfit_for.get(key, ())} if known else set()


def _change(measured: Mapping[str, float], palette: Palette, unfit: bool = False) -> Cell:
    """Green for gain and red for loss, the stronger the more; the number says the same."""
    change, low, high = (measured[name] for name in ("change", "low", "high"))
    colour = palette.diverging[-1 if change > 0 else 0][1]
    return Cell(
        relative_change(change) + (" ?" if unfit else ""),
        tip=f"95 % interval {low:+.0%} to {high:+.0%}" + (f"\n{stand_ins.UNFIT}" if unfit else ""),
        bold=low > 0 or high < 0,
        shade=tint(colour, min(abs(change), 1.0) * 0.8),
    )


def name_of(where: str) -> str:
    """Of a file; in which folder of the server it lies is nobody's business."""
    return Path(where).name


def resources() -> None:
    """The state of every resource, with what to do where one is missing."""
    with st.spinner("Checking every file"):
        found = doctor.examine()
    st.dataframe(
        {
            "": ["✓" if report.sound else "✗" for report in found],
            "resource": [report.name for report in found],
            "state": [report.state for report in found],
            "what": [report.what for report in found],
            "MB": [report.size / 1e6 for report in found],
            "licence": [report.licence for report in found],
            "fix": [report.fix for report in found],
            "file": [name_of(report.where) for report in found],
        },
        column_config={
            "MB": st.column_config.NumberColumn(format="%.1f", width=60),
            "": st.column_config.TextColumn(width=30),
        },
        hide_index=True,
        height="content",
    )
