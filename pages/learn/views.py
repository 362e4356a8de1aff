"""What a run shows: its curves, and what came of it beside the shipped model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from capeval_core.figures import learning
from capeval_core.figures.html import line_html
from capeval_core.figures.learning import Curve
from capeval_core.figures.tables import render
from capeval_core.figures.words import clean, plural, short
from capeval_core.training.watched import Learned, Plan, Point
from pages.learn import choose, training
from pages.learn.state import MADE, Asked, Learn
from pages.shell import theme
from pages.widgets import downloads
from pages.widgets.evidence import QUIET

REBUILDING, MEANING = "rebuilding words", "telling images apart"


def show(held: Learn, asked: Asked, learned: Learned) -> None:
    palette, plan = theme.palette(), learned.plan
    text = learning.finished(plan.metric, learned.figures, learned.shipped, learned.chance)
    st.html(line_html(text, palette, large=True))
    st.html(line_html(about(asked, learned), palette, quiet=True))
    _buttons(learned)
    with st.container(key="learn-table-stacks"):
        table, rows = st.columns(2, gap="large")
    with table:
        grid = learning.beside(plan.metric, learned.figures, learned.shipped, learned.chance, palette)
        st.html(render(grid, palette))
        st.html(line_html(learning.meaning(plan.metric), palette, quiet=True))
        if not learned.shipped:
            st.caption("There is no shipped model on this machine to compare with.")
    with rows:
        st.html(render(learning.examples(learned.heads, learned.examples), palette))
    curves(plan, learned.points, learned.shipped)


def about(asked: Asked, learned: Learned) -> str:
    counts, plan = learned.counts, learned.plan
    source = "the made captions" if asked.source == MADE else short(clean(asked.title), 60)
    size = f"{plural(counts['captions'], 'caption')} of {plural(counts['images'], 'image')}"
    return (
        f"{choose.title(plan.metric)} {plan.variant}, {plan.size}: learned from {size} ({source}), "
        f"{counts['held back']:,} other images held back; epoch {learned.epoch} of {plan.epochs} kept, "
        f"{learned.seconds:.0f} s, {len(learned.content) / 1e6:.1f} MB."
    )


def _buttons(learned: Learned) -> None:
    plan = learned.plan
    with st.container(horizontal=True, gap="small"):
        if st.button("Use it in Inspect", icon=":material/search_insights:", type="primary", key="learn use"):
            training.use(learned)
            st.switch_page("pages/inspect/page.py")
        name = f"{plan.metric}-{plan.variant}.safetensors"
        downloads.show({"Download": (name, lambda: learned.content)}, width="content")
        about = "The same settings from other random numbers: how much is chance?"
        st.button("Train again", icon=":material/replay:", on_click=choose.again, key="learn again", help=about)


def curves(plan: Plan, points: Sequence[Point], shipped: Mapping[str, float]) -> None:
    palette = theme.palette()
    with st.container(key="learn-curves-stacks"):
        left, right = st.columns(2, gap="large")
    with left:
        st.html(line_html("what it gets wrong on the captions it learns from; lower is better", palette, bold="Loss"))
        drawn = learning.loss_curves(losses(points), plan.epochs, palette)
        st.plotly_chart(drawn, key="learn losses", config=QUIET, theme=None)
    with right:
        note = "what it can do; dotted: the shipped model" if shipped else "what it can do; higher is better"
        st.html(line_html(note, palette, bold="On captions it has not seen"))
        drawn = learning.share_curves(shares(plan.metric, points, shipped), plan.epochs, palette)
        st.plotly_chart(drawn, key="learn shares", config=QUIET, theme=None)


def losses(points: Sequence[Point]) -> list[Curve]:
    """The parts of the overall loss as they count in it."""
    if any("reconstruction" not in point.losses for point in points):
        return [Curve("loss", [(point.at, point.losses["loss"]) for point in points])]
    found = [Curve(REBUILDING, [(point.at, point.losses["reconstruction"]) for point in points])]
    apart = [
        (point.at, point.losses["overall"] - point.losses["reconstruction"])
        for point in points
        if "semantic" in point.losses
    ]
    return [*found, Curve(MEANING, apart)] if apart else found


def shares(metric: str, points: Sequence[Point], shipped: Mapping[str, float]) -> list[Curve]:
    labels = {one.key: one.label for one in learning.FIGURES[metric]}
    return [
        Curve(labels[key], [(point.at, point.figures[key]) for point in points if point.figures], shipped.get(key))
        for key in learning.CURVES[metric]
    ]
