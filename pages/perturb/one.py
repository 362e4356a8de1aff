"""One image: the grid, fills as it is scored; below it both evidences of a clicked cell, or bars."""

from __future__ import annotations

import copy
import math

import streamlit as st

from capeval_core import registry
from capeval_core.figures import perturb as figures
from pages.perturb import controls as perturb_controls
from pages.perturb import paper as perturb_paper
from pages.perturb import sources as perturb_sources
from pages.perturb.bench import bench
from pages.perturb.grid import component, grid_data, relative
from pages.perturb.lab import CANDIDATE, ORIGINAL, Lab, Row, apply
from pages.perturb.sources import PAPER
from pages.perturb.task import Task
from pages.shell import theme
from pages.widgets import evidence, formats, stand_ins
from pages.work import session as state
from pages.work.workspace import Workspace

KEY = "lab grid"
ANSWER_WITHIN = 0.25  # seconds an answer waits for scores: an edit often needs no more
POLL = 0.8
VIEWS = ("Evidence", "Bars")


def show() -> None:
    lab = perturb_controls.lab()
    perturb_controls.show(lab)
    if lab.message:
        st.error("The last change was not made.", icon=":material/block:")
        st.text(lab.message)  # may quote the visitor: never markdown
        lab.message = ""
    if not lab.caption:
        st.info("No caption to disturb yet: type one in Inspect, or open the paper's example above.")
        return
    if not lab.metrics:
        st.info("No metric chosen: pick some under Metrics.")
        return
    st.session_state["lab asked"] = True
    _work()


@st.fragment
def _work() -> None:
    """Runs alone when the browser polls, clicks a cell or edits a row; a new candidate starts the whole page."""
    lab: Lab = st.session_state["lab"]
    polled = not st.session_state.pop("lab asked", False)
    if st.session_state.pop("lab rewritten", False) and polled:
        st.rerun()
    progress, failure = _score(lab, POLL if polled else ANSWER_WITHIN)
    if lab.message and polled:
        st.rerun()
    data = grid_data(lab, bench(), theme.palette(), _published(lab), progress)
    if failure:  # asking again would fail again: a change of the rows starts anew
        data["pending"] = False
        st.error("These rows could not be scored.", icon=":material/block:")
        st.text(failure)  # may quote the visitor: never markdown
    tick = st.session_state.get("lab tick", 0) + 1 if data["pending"] else 0
    st.session_state["lab tick"] = data["tick"] = tick
    component()(key=KEY, data=data, on_events_change=_changed, on_poll_change=lambda: None)
    rows = lab.rows(bench().variants(lab.request()))
    if lab.source == PAPER and not data["pending"]:
        _why(lab, rows)
    _below(lab, rows)


def _changed() -> None:
    if apply(st.session_state["lab"], st.session_state[KEY].get("events")):
        st.session_state["lab rewritten"] = True


def _score(lab: Lab, seconds: float) -> tuple[tuple[str, int, int], str]:
    """Starts what is missing, waits a moment; how far it is, and what went wrong. A newer wish stops the older."""
    typed = tuple(lab.given.values()), tuple(lab.own.values()), tuple(lab.edits.values())
    wish = lab.request(), tuple(lab.metrics), lab.original, typed
    asked, task = st.session_state.get("lab task", (None, None))
    if bench().complete(lab):
        return ("", 0, 0), ""
    if asked != wish or (task.ended and not task.error):
        if task is not None:
            task.cancel()
        snapshot = copy.deepcopy(lab)
        task = Task(lambda report: bench().fill(snapshot, report)).start()
        st.session_state["lab task"] = (wish, task)
    task.wait(seconds)
    return task.progress, task.error


def _published(lab: Lab) -> dict[tuple[str, str], float]:
    if lab.source != PAPER:
        return {}
    source = perturb_sources.find(PAPER, state.workspace())
    paper = {ORIGINAL: source.references[0], CANDIDATE: source.captions[0][1]}
    paper |= {f"given {label}": text for label, text in source.given}
    rows = {row.id: row.text for row in lab.rows(None)}
    # With another reference or candidate no row is the paper's any more.
    same = len(lab.references) == 1 and all(rows[name] == paper[name] for name in (ORIGINAL, CANDIDATE))
    return perturb_paper.published(rows, paper) if same else {}


def _why(lab: Lab, rows: list[Row]) -> None:
    """Why our numbers are not the published ones: while the rows are the paper's."""
    if len(_published(lab)) < len(perturb_paper.PUBLISHED) * len(perturb_paper.ROWS):
        return
    texts = {row.id: row.text for row in rows}
    chosen = [texts[name] for name in perturb_paper.ROWS[1:]]
    ours: dict[str, list[float]] = {}
    for key in perturb_paper.PUBLISHED:
        cells = [bench().cell(lab.item(text), key) for text in chosen]
        if key in lab.metrics and all(cells):
            ours[key] = [cell.value for cell in cells if cell]
    st.html(f'<p style="margin:0">{formats.escape(perturb_paper.conclusions(ours))}</p>')
    with st.expander("Why our numbers differ from the published ones", expanded=True):
        lines = "".join(
            f'<tr><th scope="row" style="text-align:left;vertical-align:top;padding:2px 18px 6px 0;white-space:nowrap">'
            f"{formats.escape(registry.get(key).label)}</th>"
            f'<td style="padding:2px 0 6px">{formats.escape(text)}</td></tr>'
            for key, text in perturb_paper.reasons(chosen, texts[ORIGINAL], ours)
        )
        st.html(f'<table style="border-collapse:collapse;max-width:75em">{lines}</table>')


def _below(lab: Lab, rows: list[Row]) -> None:
    tabs, about, leave = st.columns([1.1, 3, 1.2], vertical_alignment="center")
    with tabs:
        view = st.segmented_control(
            "Below the grid", VIEWS, default=VIEWS[0], required=True, key="lab view", label_visibility="collapsed"
        )
    chosen = next((row for row in rows if row.id == lab.open_row), None)
    with about:
        if view == "Evidence" and chosen:
            spec = registry.get(lab.open_key)
            st.html(
                f'<p style="margin:0"><b>{formats.escape(spec.label)}</b>&ensp;candidate beside '
                f"<b>{formats.escape(chosen.label)}</b> · click any cell for another</p>"
            )
    with leave:
        if st.button("Open in Inspect", icon=":material/search_insights:", width="stretch", key="lab to inspect"):
            to_inspect(lab, rows)
            st.switch_page("pages/inspect/page.py")
    if view == "Bars":
        _bars(lab, rows)
    elif chosen:
        _evidence(lab, rows, chosen)
    _notes(lab, rows)


def _evidence(lab: Lab, rows: list[Row], chosen: Row) -> None:
    """The candidate's and the row's, side by side; the candidate itself stands beside the original."""
    palette = theme.palette()
    candidate = next(row for row in rows if row.id == CANDIDATE)
    other = chosen if chosen.id != CANDIDATE else next((row for row in rows if row.id == ORIGINAL), None)
    shown = [row for row in (candidate, other) if row]
    for column, row in zip(st.columns(2, gap="large"), shown, strict=False):
        with column:
            st.html(f'<p style="margin:0"><b>{formats.escape(row.label)}</b></p>')
            # A metric at work on its first captions would keep the page waiting: first the score, then its evidence.
            if bench().cell(lab.item(row.text), lab.open_key) is None:
                st.text("The evidence follows when this row is scored.")
                continue
            with st.spinner("Looking for the evidence", show_time=False):
                evidence.show(lab.item(row.text), lab.open_key, palette, f"lab {row.id == CANDIDATE}")


def _bars(lab: Lab, rows: list[Row]) -> None:
    moves = []
    for row in rows:
        for key in lab.metrics if row.is_variant else ():
            cells = [bench().cell(lab.item(text), key) for text in (lab.caption, row.text)]
            values = [cell.value if cell else math.nan for cell in cells]
            if not any(map(math.isnan, values)):
                share = relative(values[0], values[1])
                hint = f"{formats.score(values[0])} to {formats.score(values[1])}"
                moves.append(figures.Move(row.label if row.label != "your own" else row.text, key, share, hint=hint))
    if not moves:
        st.info("Nothing to draw yet: choose a kind of change above, or type a row of your own.")
        return
    st.caption("Change as a share of the candidate's score.")
    st.plotly_chart(figures.sensitivity(moves, theme.palette()), key="lab bars", config=evidence.QUIET, theme=None)


def _notes(lab: Lab, rows: list[Row]) -> None:
    signatures, failed = {}, {}
    for key in lab.metrics:
        for row in rows:
            cell = bench().cell(lab.item(row.text), key)
            if cell and cell.failed:
                failed[key] = cell.note
            elif cell and cell.signature:
                signatures[key] = formats.signature(cell.signature)
    labels = {spec.key: spec.label for spec in registry.select(lab.metrics)}
    title = "Signatures: how each number was made"
    with st.expander(title + (f" · {len(failed)} could not score" if failed else "")):
        for line in stand_ins.warnings(signatures, labels):
            st.text(f"≈ {line}")
        for key, reason in failed.items():
            st.text(f"{labels[key]} could not score: {reason}")
        st.code("\n".join(signatures.values()) or "nothing scored yet", language=None, wrap_lines=True)


def to_inspect(lab: Lab, rows: list[Row]) -> None:
    """Candidate and rows become Inspect's candidates, the open row its chosen one."""
    source = perturb_sources.find(lab.source, state.workspace())
    ws = Workspace(title=source.title, credit=source.credit, image=source.image, metrics=list(lab.metrics))
    ws.set_references(lab.references)
    shown = [row for row in rows if row.id != ORIGINAL]
    for row in shown:
        ws.add([row.text], row.label)
    state.replace(ws)
    found = next((place for place, row in enumerate(shown) if row.id == lab.open_row), 0)
    ws.chosen, ws.metric = ws.candidates[found].id, lab.open_key
    ws.settle()
    if lab.source == perturb_sources.INSPECT:  # who comes back finds the rows as they were
        lab.opened = perturb_sources.find(lab.source, ws).content
