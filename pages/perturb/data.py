"""A whole data set: how far each kind moves each metric on average, and which metrics distractors fool."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from capeval_core import options as metric_options
from capeval_core import registry
from capeval_core.figures import perturb as figures
from capeval_core.figures.html import line_html
from capeval_core.io.dataset import DataSet
from capeval_core.perturb import FAMILIES, KINDS
from capeval_core.perturb.study import Study
from pages.perturb import changed, results
from pages.perturb.controls import STRENGTHS, family_label
from pages.perturb.lab import kinds_of
from pages.perturb.measuring import Asked, job
from pages.shell import theme
from pages.widgets import choice, data_bar, downloads, evidence, metrics, options, progress
from pages.widgets.expander import expander
from pages.work import dataset, keeping, session
from pages.work.jobs import jobs

BIG = 300  # captions: from here on only metrics that need no model are chosen at first
FIRST = 200  # captions to change at first
WITHIN = 2.0  # seconds an answer waits for a result that was measured before
CAPTIONS = "Changed captions"
SHAPES = {"One row per metric": results.table_3, "One row per task": results.table_5}


@dataclass
class Measurement:
    """What is to be measured; `st.session_state["measurement"]` is its one owner."""

    digest: str = ""  # of the data set it was chosen for
    families: list[str] = field(default_factory=lambda: list(FAMILIES))
    strength: int = 2
    count: int = FIRST  # captions, from the top
    metrics: list[str] = field(default_factory=list)
    asked: Asked | None = None  # what was started
    result: str = ""  # the digest of its file, as soon as it is measured
    stopped: bool = False
    view: str = ""
    shape: str = next(iter(SHAPES))
    looking: changed.Looking = field(default_factory=changed.Looking)


def show() -> None:
    data_bar.show()
    data = dataset.current()
    held = current(data)
    choose, result = st.columns([1, 3.1], gap="large")
    with choose:
        _choose(held, data)
    with result:
        found = _result(held)
    if found is not None and found.variants and held.view == CAPTIONS:  # as wide as the page: one column per metric
        changed.show(found, held.looking)


def current(data: DataSet) -> Measurement:
    held = keeping.held("measurement", Measurement)
    if held.digest != data.digest:
        held.digest, held.count = data.digest, min(len(data.items), FIRST)
        held.metrics = first_metrics(len(data.items))
    return held


def first_metrics(captions: int) -> list[str]:
    return [spec.key for spec in registry.select(None) if captions < BIG or not spec.resources]


def setter(name: str) -> Callable[[Any], None]:
    return lambda value: setattr(st.session_state["measurement"], name, value)


def _choose(held: Measurement, data: DataSet) -> None:
    choice.pick_several(
        "Kinds of change", FAMILIES, held.families, setter("families"), name="measured families", show=family_label
    )
    choice.pick(
        st.segmented_control, "Strength", list(STRENGTHS), held.strength, setter("strength"), name="measured strength",
        show=STRENGTHS.__getitem__,
    )  # fmt: skip
    choice.set_number(
        st.number_input, "Captions to change, from the top", 1, len(data.items), held.count, setter("count"),
        name="measured captions",
    )  # fmt: skip
    chosen = f"{len(held.metrics)} of {len(registry.keys())} metrics"
    with st.popover(chosen, icon=":material/tune:", width="stretch"):
        metrics.picker("measured metrics", held.metrics, setter("metrics"))
        if len(data.items) >= BIG:
            st.caption("In a large file only metrics that need no model are chosen at first: the others take longer.")
    with st.popover("Options", icon=":material/settings:", width="stretch"):
        options.form(held.metrics, session.workspace().options, "measured options")
    ready = bool(held.families and held.metrics) and not jobs().of(session.owner("measure"))
    st.button("Measure", type="primary", width="stretch", disabled=not ready, on_click=_start)


def _start() -> None:
    held: Measurement = st.session_state["measurement"]
    data, chosen = dataset.current(), metric_options.to_plain(session.workspace().options)
    kinds, count = tuple(kinds_of(held.families)), min(held.count, len(data.items))
    asked = Asked(data.digest, data.title, count, kinds, tuple(held.metrics), held.strength, chosen)
    held.result = held.result if asked == held.asked else ""
    held.asked, held.stopped = asked, False
    jobs().forget_failures()
    jobs().want(session.owner("measure"), [job(asked, held.result, data)])


def _stop() -> None:
    st.session_state["measurement"].stopped = True
    jobs().want(session.owner("measure"), [])


def _result(held: Measurement) -> Study | None:
    """The finished one, when it is shown."""
    if held.asked is None:
        st.info(
            "Every caption is changed in every chosen way and scored again. Press Measure: the samples take "
            "a minute or two with all metrics. Or open a file of your own above."
        )
        return None
    if held.stopped:
        st.warning("Stopped.")
        return None
    owner = session.owner("measure")
    jobs().want(owner, [job(held.asked, held.result, dataset.current())])
    if held.result:  # measured before: it is only read
        jobs().finish(owner, WITHIN)
    outcome = jobs().find(held.asked.address)
    if outcome is None:
        progress.show(owner, cancel=_stop)
    elif outcome.error:
        st.warning("The measurement failed.")
        st.text(outcome.error)
    else:
        found: Study = outcome.result[0]
        content: bytes = outcome.result[1]
        if content and not held.result:
            held.result = keeping.put(content) or ""
        _finished(found, held, held.asked)
        return found
    return None


def _finished(found: Study, held: Measurement, asked: Asked) -> None:
    about, files = st.columns([3, 1.3], vertical_alignment="center")
    with about:
        st.html(line_html(results.sentence(found), theme.palette(), large=True))
        made = f"{len(found.items):,} captions, {len(found.variants):,} changed ones"
        said = f"{asked.title}: {made}, strength {asked.strength}"
        st.html(line_html(said, theme.palette(), quiet=True))
    settings = {"data": asked.title, "strength": asked.strength, "seed": 0, "kinds": list(asked.kinds)}
    with files, st.popover("Export", icon=":material/download:", width="stretch"):
        downloads.show(
            {
                "Profile (CSV)": ("sensitivity.csv", lambda: results.to_csv(found)),
                "Changed captions (CSV)": ("changed-captions.csv", lambda: results.captions_csv(found)),
                "Profile and changed captions (JSON)": (
                    "sensitivity.json",
                    lambda: results.to_json(found, settings),
                ),
            }
        )
    views = {"Sensitivity": _sensitivity} if results.moves(found) else {}
    views |= {"Distractors": _distractors} if results.tasks(found) else {}
    names = [*views, CAPTIONS] if found.variants else list(views)
    if names:
        held.view = held.view if held.view in names else names[0]
        choice.pick(
            st.segmented_control, "Result", names, held.view, setter("view"), name="measured view",
            label_visibility="collapsed",
        )  # fmt: skip
        if held.view in views:
            views[held.view](found, held)
    else:
        st.info("None of the chosen changes could be made to these captions.")
    _notes(found)


def _sensitivity(found: Study, held: Measurement) -> None:
    st.caption("Change of the mean score, as a share of it; the thin line is the 95 % bootstrap interval over images.")
    figure = figures.sensitivity(results.moves(found), theme.palette())
    st.plotly_chart(figure, key="measured profile", config=evidence.QUIET, theme=None)


def _distractors(found: Study, held: Measurement) -> None:
    st.caption("How often the true caption scores higher than its distractor; a tie counts half. Best in bold.")
    st.html(SHAPES[held.shape](found, theme.palette()))
    choice.pick(
        st.segmented_control,
        "Shape of the table",
        list(SHAPES),
        held.shape,
        setter("shape"),
        name="measured shape",
        help="As in Table 3 of Sharif et al. 2018 (NNEval), or in Table 5 of Kilickaya et al. 2017",
    )


def _notes(found: Study) -> None:
    with expander("How often each kind could be made; signatures", "measured"):
        rates = ", ".join(f"{KINDS[kind].label} {share:.0%}" for kind, share in found.rates.items())
        st.text(f"Could be made: {rates}")
        for key, error in found.skipped.items():
            st.text(f"{registry.get(key).label} could not score: {error}")
        st.code("\n".join(found.signatures.values()), language=None, wrap_lines=True)
