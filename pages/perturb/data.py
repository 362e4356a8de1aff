"""A whole data set: how far each kind moves each metric on average, and who falls for distractors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from capeval_core import CaptionItem, InvalidInput, registry
from capeval_core.figures import perturb as figures
from capeval_core.perturb import FAMILIES, KINDS
from capeval_core.perturb.study import Study, study
from pages.perturb import results as perturb_results
from pages.perturb.controls import LABELS, STRENGTHS, metric_pills, picked_metrics
from pages.perturb.lab import kinds_of
from pages.perturb.task import Task
from pages.perturb.uploads import MAX_BYTES, SUFFIXES, read_upload
from pages.shell import theme
from pages.widgets import evidence, formats
from pages.work.samples import as_items

SAMPLES = "the samples"
BIG = 300  # captions: from here on only metrics that need no model are chosen at first
FIRST = 200  # captions to change at first
EXAMPLE = '{"image_id": "1", "candidate": "a man in a boat", "references": ["a man sits in a canoe"]}'


def show() -> None:
    held = _state()
    choose, result = st.columns([1, 3.1], gap="large")
    with choose:
        _choose(held)
    with result:
        _result()


def _state() -> dict[str, Any]:
    if "lab data" not in st.session_state:
        st.session_state["lab data"] = {"name": "", "items": [], "families": list(FAMILIES), "strength": 2, "error": ""}
        _use(SAMPLES, as_items())
    held: dict[str, Any] = st.session_state["lab data"]
    return held


def _use(name: str, items: Sequence[CaptionItem]) -> None:
    held = st.session_state["lab data"]
    held |= {"name": name, "items": list(items), "error": "", "count": min(len(items), FIRST)}
    held["metrics"] = first_metrics(len(items))


def first_metrics(captions: int) -> list[str]:
    return [spec.key for spec in registry.select(None) if captions < BIG or not spec.resources]


def _choose(held: dict[str, Any]) -> None:
    st.html(
        f"<p style='margin:0'>Now: <b>{formats.escape(held['name'])}</b>, {len(held['items']):,} captions of "
        f"{len({item.image_id for item in held['items']}):,} images</p>"
    )
    key = f"lab upload {st.session_state.get('lab uploads', 0)}"
    st.file_uploader(
        "Another data set", type=list(SUFFIXES), key=key, on_change=_uploaded, args=(key,), help=f"A row: {EXAMPLE}"
    )
    if held["error"]:
        st.error("This file was not used.", icon=":material/block:")
        st.text(held["error"])  # quotes the file: never markdown
    if held["name"] != SAMPLES and st.button("Back to the samples", width="stretch"):
        _use(SAMPLES, as_items())
        st.rerun()
    held["families"] = st.pills(
        "Kinds of change",
        FAMILIES,
        selection_mode="multi",
        default=held["families"],
        format_func=lambda one: LABELS.get(one, one),
        key="lab data families",
        wrap=True,
    )
    held["strength"] = st.segmented_control(
        "Strength",
        list(STRENGTHS),
        default=held["strength"],
        required=True,
        format_func=STRENGTHS.__getitem__,
        key="lab data strength",
    )
    count = len(held["items"])
    held["count"] = st.number_input(
        "Captions to change, from the top", 1, count, min(held["count"], count), key=f"lab data count {held['name']}"
    )
    with st.popover(
        f"{len(held['metrics'])} of {len(registry.keys())} metrics", icon=":material/tune:", width="stretch"
    ):
        metric_pills("lab data metrics", held["metrics"], _metrics_picked)
        if count >= BIG:
            st.caption("In a large file only metrics that need no model are chosen at first: the others take longer.")
    running = _task() is not None and not _task().ended  # type: ignore[union-attr]
    ready = bool(held["families"] and held["metrics"]) and not running
    st.button("Measure", type="primary", width="stretch", disabled=not ready, on_click=_start, key="lab measure")


def _metrics_picked() -> None:
    st.session_state["lab data"]["metrics"] = picked_metrics("lab data metrics")


def _uploaded(key: str) -> None:
    file = st.session_state[key]
    if file is None:
        return
    held = st.session_state["lab data"]
    try:
        data = file.getvalue() if file.size <= MAX_BYTES else bytes(MAX_BYTES + 1)
        _use(" ".join(file.name.split())[:80], read_upload(file.name, data))
    except InvalidInput as error:
        held["error"] = str(error)
    st.session_state["lab uploads"] = st.session_state.get("lab uploads", 0) + 1


def _task() -> Task[Study] | None:
    found: Task[Study] | None = st.session_state.get("lab study task")
    return found


def _start() -> None:
    held = st.session_state["lab data"]
    items, metrics, strength = list(held["items"]), list(held["metrics"]), int(held["strength"])
    kinds, count = kinds_of(held["families"]), int(held["count"])
    st.session_state["lab study of"] = {
        "data": held["name"],
        "strength": strength,
        "seed": 0,
        "kinds": kinds,
    }
    st.session_state["lab study task"] = Task(
        lambda report: study(items[:count], kinds, metrics, strength=strength, corpus=items, on_progress=report)
    ).start()


def _result() -> None:
    task = _task()
    if task is None:
        st.info(
            "Every caption is changed in every chosen way and scored again. Press Measure: the samples take "
            "a minute or two with all metrics. Or upload a file of your own, a caption a row."
        )
        return
    if not task.ended:
        _running()
        return
    if task.result is None:
        st.warning("Stopped." if task.error == "cancelled" else "The measurement failed.")
        st.text("" if task.error == "cancelled" else task.error)
        return
    _finished(task.result, st.session_state["lab study of"])


@st.fragment(run_every=0.7)
def _running() -> None:
    task = _task()
    if task is None or task.ended:
        st.rerun()
        return
    stage, done, total = task.progress
    st.progress(task.share, text=f"{stage} {done:,} of {total:,}" if total else stage or "Starting")
    if st.button("Cancel", icon=":material/close:", key="lab cancel"):
        task.cancel()
        st.caption("Stopping at the next step.")


def _finished(found: Study, settings: dict[str, Any]) -> None:
    about, files = st.columns([3, 1.3], vertical_alignment="center")
    with about:
        st.html(f'<p style="font-size:1.1em;margin:0">{formats.escape(perturb_results.sentence(found))}</p>')
        made = len(found.variants)
        st.html(
            f'<p style="margin:0;opacity:.7">{formats.escape(settings["data"])}: {len(found.items):,} captions, '
            f"{made:,} changed ones, strength {settings['strength']}</p>"
        )
    with files, st.popover("Export", icon=":material/download:", width="stretch"):
        for label, make, name, kind in (
            ("Profile (CSV)", lambda: perturb_results.to_csv(found), "capeval-sensitivity.csv", "text/csv"),
            (
                "Profile and variants (JSON)",
                lambda: perturb_results.to_json(found, settings),
                "capeval-sensitivity.json",
                "application/json",
            ),
        ):
            st.download_button(label, make, name, kind, on_click="ignore", width="stretch", key=f"lab export {name}")
    views = {"Sensitivity": _sensitivity} if perturb_results.moves(found) else {}
    views |= {"Distractors": _distractors} if perturb_results.tasks(found) else {}
    if views:
        names = list(views)
        chosen = st.segmented_control(
            "Result", names, default=names[0], required=True, label_visibility="collapsed", key=f"lab result {names}"
        )
        views[chosen](found)
    else:
        st.info("None of the chosen changes could be made to these captions.")
    _notes(found)


def _sensitivity(found: Study) -> None:
    st.caption("Change of the mean score, as a share of it; the thin line is the 95 % bootstrap interval over images.")
    figure = figures.sensitivity(perturb_results.moves(found), theme.palette())
    st.plotly_chart(figure, key="lab profile", config=evidence.QUIET, theme=None)


def _distractors(found: Study) -> None:
    st.caption("How often the true caption scores higher than its distractor; a tie counts half. Best in bold.")
    shapes = {"A row a metric": perturb_results.table_3, "A row a task": perturb_results.table_5}
    st.html(shapes[st.session_state.get("lab shape") or "A row a metric"](found, theme.palette()))
    st.segmented_control(
        "Shape of the table",
        list(shapes),
        default="A row a metric",
        required=True,
        key="lab shape",
        help="As in Table 3 of Sharif et al. 2018 (NNEval), or in Table 5 of Kilickaya et al. 2017",
    )


def _notes(found: Study) -> None:
    with st.expander("How often each kind could be made; signatures"):
        rates = ", ".join(f"{KINDS[kind].label} {share:.0%}" for kind, share in found.rates.items())
        st.text(f"Could be made: {rates}")
        for key, error in found.skipped.items():
            st.text(f"{registry.get(key).label} could not score: {error}")
        st.code("\n".join(found.signatures.values()), language=None, wrap_lines=True)
