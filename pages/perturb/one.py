"""One image: the grid fills as it is scored; below it both evidences of a clicked cell, or bars."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from capeval_core import registry
from capeval_core.figures import perturb as figures
from capeval_core.figures.html import line_html
from capeval_core.figures.numbers import score
from capeval_core.figures.tables import render
from capeval_core.perturb import Variants
from pages.perturb import controls, paper, sources, variants
from pages.perturb.exports import rows_csv
from pages.perturb.grid import counts, grid_data, relative
from pages.perturb.lab import CANDIDATE, ORIGINAL, Lab, Row, apply
from pages.perturb.sources import PAPER
from pages.shell import theme
from pages.web import component
from pages.widgets import choice, downloads, evidence, provenance
from pages.widgets.expander import expander
from pages.work import session
from pages.work.cells import Cell, cells
from pages.work.jobs import jobs
from pages.work.workspace import Workspace

KEY = "grid"
ANSWER_WITHIN = 0.25  # seconds an answer waits for scores: an edit often needs no more
POLL = 0.8
VIEWS = ("Evidence", "Bars")


def show() -> None:
    lab = controls.lab()
    controls.show(lab)
    if lab.message:
        st.error("This could not be done:", icon=":material/block:")
        st.text(lab.message)  # may quote the visitor: never markdown
        lab.message = ""
    if not lab.caption:
        st.info("No caption to change yet: type one in Inspect, or open the paper's example above.")
        return
    if not lab.metrics:
        st.info("No metric chosen: pick some under Metrics.")
        return
    component.live(KEY, _answer, lambda events: apply(st.session_state["lab"], events), _below)


def _cell(lab: Lab, text: str, key: str) -> Cell | None:
    return cells().get(lab.item(text), key, session.workspace().options)


def _made(lab: Lab) -> Variants | None:
    """The changed captions; none while they are not made, or cannot be."""
    outcome = variants.find(lab.request())
    return outcome.result if outcome else None


def _want(lab: Lab) -> bool:
    """Asks for what is missing; is everything there?"""
    request, owner = lab.request(), session.owner("perturb")
    unmade = [] if variants.find(request) else [variants.job(request)]
    items = list(dict.fromkeys(lab.item(row.text) for row in lab.rows(_made(lab))))
    missing = cells().missing(items, lab.metrics, session.workspace().options)
    return not jobs().want(owner, [*unmade, *missing])


def _answer(polled: bool) -> dict[str, Any]:
    lab: Lab = st.session_state["lab"]
    owner = session.owner("perturb")
    for _ in range(2):  # when the captions are made their scores are asked for
        if _want(lab):
            break
        jobs().finish(owner, POLL if polled else ANSWER_WITHIN)
    data = grid_data(lab, _made(lab), session.workspace().options, theme.palette(), _published(lab))
    running = jobs().of(owner)
    data["status"] = running[0].said if running else ""
    outcome = variants.find(lab.request())
    if outcome and outcome.error:  # asking again would fail again: a change of the rows starts anew
        data["pending"] = False
        st.error("These rows could not be made.", icon=":material/block:")
        st.text(outcome.error)  # may quote the visitor: never markdown
    return data


def _below(data: dict[str, Any]) -> None:
    lab: Lab = st.session_state["lab"]
    rows = lab.rows(_made(lab))
    if lab.source == PAPER and not data["pending"]:
        _why(lab, rows)
    _views(lab, rows)


def _published(lab: Lab) -> dict[tuple[str, str], float]:
    if lab.source != PAPER:
        return {}
    source = sources.find(PAPER, session.workspace())
    texts = {ORIGINAL: source.references[0], CANDIDATE: source.captions[0][1]}
    texts |= {f"given {label}": text for label, text in source.given}
    rows = {row.id: row.text for row in lab.rows(None)}
    # With another reference or candidate no row is the paper's any more.
    same = len(lab.references) == 1 and all(rows[name] == texts[name] for name in (ORIGINAL, CANDIDATE))
    return paper.published(rows, texts) if same else {}


def _why(lab: Lab, rows: list[Row]) -> None:
    """Why our numbers are not the published ones: while the rows are the paper's."""
    if len(_published(lab)) < len(paper.PUBLISHED) * len(paper.ROWS):
        return
    texts = {row.id: row.text for row in rows}
    chosen = [texts[name] for name in paper.ROWS[1:]]
    ours: dict[str, list[float]] = {}
    for key in paper.PUBLISHED:
        found = [_cell(lab, text, key) for text in chosen]
        if key in lab.metrics and all(found):
            ours[key] = [cell.value for cell in found if cell]
    palette = theme.palette()
    st.html(line_html(paper.conclusions(ours), palette))
    with expander("Why our numbers differ from the published ones", "paper", expanded=True):
        st.html(render(paper.table(paper.reasons(chosen, texts[ORIGINAL], ours)), palette))


def _views(lab: Lab, rows: list[Row]) -> None:
    tabs, about, files, leave = st.columns([1.1, 2.2, 0.9, 1.2], vertical_alignment="center")
    with tabs:
        choice.pick(
            st.segmented_control, "Below the grid", VIEWS, lab.view, controls.setter("view"), name="lab view",
            label_visibility="collapsed",
        )  # fmt: skip
    chosen = next((row for row in rows if row.id == lab.open_row), None)
    with about:
        if lab.view == "Evidence" and chosen:
            spec = registry.get(lab.open_key)
            said = f"candidate beside {chosen.label} · click any cell for another"
            st.html(line_html(said, theme.palette(), bold=spec.label))
    with files, st.popover("Export", icon=":material/download:", width="stretch"):
        title = sources.find(lab.source, session.workspace()).title
        options = session.workspace().options
        downloads.show({"Rows (CSV)": ("rows.csv", lambda: rows_csv(lab, rows, title, cells(), options))})
    with leave:
        if st.button("Open in Inspect", icon=":material/search_insights:", width="stretch", key="lab to inspect"):
            to_inspect(lab, rows)
            st.switch_page("pages/inspect/page.py")
    if lab.view == "Bars":
        _bars(lab, rows)
    elif chosen:
        _evidence(lab, rows, chosen)
    items = [lab.item(row.text) for row in rows]
    provenance.show(cells().telling(items, lab.metrics, session.workspace().options), "perturb")


def _evidence(lab: Lab, rows: list[Row], chosen: Row) -> None:
    """The candidate's and the row's, side by side; the candidate itself stands beside the original."""
    palette = theme.palette()
    candidate = next(row for row in rows if row.id == CANDIDATE)
    other = chosen if chosen.id != CANDIDATE else next((row for row in rows if row.id == ORIGINAL), None)
    shown = [row for row in (candidate, other) if row]
    sides = st.container(key="perturb-sides").columns(2, gap="large")  # one below the other on a narrow screen
    for column, row in zip(sides, shown, strict=False):
        with column:
            st.html(line_html("", palette, bold=row.label))
            # A metric at work on its first captions would keep the page waiting: first the score, then its evidence.
            if _cell(lab, row.text, lab.open_key) is None:
                st.text("The evidence follows when this row is scored.")
                continue
            with st.spinner("Looking for the evidence", show_time=False):
                options = session.workspace().options
                evidence.show(lab.item(row.text), lab.open_key, options, palette, f"lab {row.id == CANDIDATE}")


def _bars(lab: Lab, rows: list[Row]) -> None:
    moves = []
    for row in rows:
        for key in lab.metrics if row.is_variant else ():
            pair = [_cell(lab, text, key) for text in (lab.caption, row.text)]
            values = [cell.value if cell else math.nan for cell in pair]
            if not any(map(math.isnan, values)):
                share = relative(values[0], values[1]) if counts(values[0], values[1]) else 0.0
                hint = f"{score(values[0])} to {score(values[1])}"
                moves.append(figures.Move(row.label if row.label != "your own" else row.text, key, share, hint=hint))
    if not moves:
        st.info("Nothing to draw yet: choose a kind of change above, or type a row of your own.")
        return
    st.caption("Change as a share of the candidate's score.")
    st.plotly_chart(figures.sensitivity(moves, theme.palette()), key="lab bars", config=evidence.QUIET, theme=None)


def to_inspect(lab: Lab, rows: list[Row]) -> None:
    """Candidate and rows become Inspect's candidates, the open row its chosen one."""
    source = sources.find(lab.source, session.workspace())
    ws = Workspace(title=source.title, credit=source.credit, image=source.image)
    ws.metrics, ws.options = list(lab.metrics), dict(session.workspace().options)
    ws.set_references(lab.references)
    shown = [row for row in rows if row.id != ORIGINAL]
    for row in shown:
        ws.add([row.text], row.label)
    session.replace(ws)
    found = next((place for place, row in enumerate(shown) if row.id == lab.open_row), 0)
    ws.chosen, ws.metric = ws.candidates[found].id, lab.open_key
    ws.settle()
    if lab.source == sources.INSPECT:  # who comes back finds the rows as they were
        lab.opened = sources.find(lab.source, ws).content
