"""Where people and one metric differ most, caption by caption; a click opens the caption in Inspect."""

from __future__ import annotations

import streamlit as st

from capeval_core.analysis.disagreement import differences, turned
from capeval_core.figures.judge_tables import name
from capeval_core.figures.numbers import score
from capeval_core.figures.words import short
from pages.judges import views
from pages.judges.people import People, lower
from pages.judges.state import Judges, pick
from pages.widgets import captions
from pages.widgets.captions import Line
from pages.work.scoring import Known

VIEW = "Where they differ"
MOST = 40  # captions or pairs


def show(state: Judges, people: People, known: Known, who: str = "people") -> None:
    keys = list(known.scores)
    if not keys:
        return
    state.metric = state.metric if state.metric in keys else keys[0]
    views.ask(
        f"Where do {who} and the metric differ most?",
        "",
        "By the place among all rated captions, from 0 (lowest) to 100 (highest). A click opens a caption in Inspect.",
    )
    pick(st.selectbox, "Metric", "metric", keys, show=name, width=240)
    if people.found.pairs is not None:
        _pairs(state, people, known, who)
    elif people.found.captioners:
        st.info("The ratings are of whole captioners: there is no caption to compare.")
    else:
        _captions(state, people, known, who)


def _captions(state: Judges, people: People, known: Known, who: str) -> None:
    found = differences(known.scores[state.metric], people.ratings, MOST, lower=lower(state.metric))
    lines = [
        Line(
            one.row,
            (f"{one.rating:.3g}", score(one.score), f"{100 * one.people:.0f}", f"{100 * one.metric:.0f}"),
            f"{name(state.metric)} puts it {'higher' if one.apart > 0 else 'lower'} than {who}",
        )
        for one in found
        if one.apart
    ]
    if lines:
        heads = ("rating", name(state.metric), f"place by {who}", "place by the metric")
        captions.show(state.data, heads, lines)
    else:
        st.info("They put every caption in the same place.")


def _pairs(state: Judges, people: People, known: Known, who: str) -> None:
    pairs = people.found.pairs
    assert pairs
    values = known.scores[state.metric]
    found = turned(values, pairs.first, pairs.second, pairs.winners, MOST, lower=lower(state.metric))
    lines = [
        Line(
            one.better,
            (score(float(values[one.better])), score(float(values[one.worse]))),
            f"{name(state.metric)} prefers: {short(state.data.items[one.worse].candidate, 200)}",
        )
        for one in found
    ]
    if lines:
        captions.show(state.data, ("its score", "the other's"), lines)
    else:
        st.info(f"{name(state.metric)} prefers what {who} prefer, in every pair.")
