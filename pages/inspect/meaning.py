"""Style and meaning: where this image's candidates and references lie among people's captions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from capeval_core import registry
from capeval_core.analysis import ellipses
from capeval_core.analysis.people import KEYS, People, people
from capeval_core.figures import meaning
from capeval_core.figures.html import line_html
from capeval_core.figures.labelled import Point
from capeval_core.figures.meaning import STYLE, Placed
from capeval_core.figures.palette import Palette
from pages.widgets import choice, progress
from pages.widgets.evidence import QUIET, clicked
from pages.work import keeping, session
from pages.work.cells import Cells, cells
from pages.work.workspace import Workspace

KEY, CLICKED = "meaning", "meaning clicked"
WITHIN = 1.5  # seconds: with models loaded the three metrics need less
FOR_AN_ELLIPSE = 5  # references
SIZE_HELP = (
    "In standard deviations from the mean. The paper's 1.15 holds 75 % of a normal cloud along one axis; how many of "
    "people's captions lie inside is measured, and said below."
)
HINT = "Rest on a point to read its caption; click a candidate to choose it."
NEEDS = "Style and meaning needs references: SPARCS compares with what people say. Type or paste some on the left."


@dataclass
class Looking:
    """What the visitor set and clicked; `st.session_state["meaning"]`."""

    size: float = ellipses.SIZE  # of the ellipses, in standard deviations
    point: str = ""  # the key of the one whose caption is read


@dataclass(frozen=True, slots=True)
class Map:
    """What the view shows; the report shows the same."""

    placed: tuple[Placed, ...]  # candidates, then references
    own: tuple[Point, ...]  # outline of the references' ellipse, where there are enough
    badge: str  # where SPURTS is estimated
    remark: str  # where the options are not those that people were measured with


def collect(ws: Workspace, store: Cells, size: float) -> Map:
    """From cells that are there; what is not is left undefined."""
    names = candidate_names(ws)
    rows = [(names[one.id], item, str(one.id), False) for one, item in zip(ws.candidates, ws.items(), strict=True)]
    rows += [(f"ref {n}", item, f"reference {n}", True) for n, item in enumerate(ws.human_items(), 1)]
    placed, known = [], people()
    for name, item, key, reference in rows:
        found = [store.get(item, metric, ws.options) for metric in KEYS]
        x, y, grammar = (
            float(known.scales[metric].standardise(np.array(cell.value))) if cell else float("nan")
            for metric, cell in zip(KEYS, found, strict=True)
        )
        placed.append(Placed(name, item.candidate, key, x, y, grammar, reference))
    told = store.telling([item for _, item, _, _ in rows], KEYS, ws.options)
    style = told.get(STYLE)
    badge = f" ≈ {style.stand_in.word}" if style and style.stand_in else ""
    return Map(
        tuple(placed), own_outline(placed, size), badge, _remark({key: cell.signature for key, cell in told.items()})
    )


def candidate_names(ws: Workspace) -> dict[int, str]:
    """By id: the captioner where that says which one it is, else the candidate's number."""
    systems = [one.system for one in ws.candidates]
    return {
        one.id: one.system if one.system and systems.count(one.system) == 1 else f"candidate {place}"
        for place, one in enumerate(ws.candidates, 1)
    }


def own_outline(placed: Sequence[Placed], size: float) -> tuple[Point, ...]:
    points = [(one.meaning, one.style) for one in placed if one.reference and one.defined]
    if len(points) < FOR_AN_ELLIPSE:
        return ()
    found = ellipses.ellipse(np.array(points), size)
    return tuple(found.polygon[::4]) if found.axes[1] > ellipses.FLAT else ()


def _remark(signatures: dict[str, str]) -> str:
    """People were measured once, with the default options: other options make another scale."""
    other = [
        registry.get(key).label
        for key, signature in signatures.items()
        if signature and _without_version(signature) != _without_version(people().signatures[key])
    ]
    return f"People were measured with other options of {' and '.join(other)}: compare with care." if other else ""


def _without_version(signature: str) -> str:
    return "|".join(part for part in signature.split("|") if not part.startswith("v:"))


def show(ws: Workspace, palette: Palette) -> None:
    if not ws.references:
        st.info(NEEDS)
        return
    store, owner = cells(), session.owner("style")
    items = [*ws.items(), *ws.human_items()]
    store.want(owner, items, KEYS, ws.options)
    if store.wait(items, KEYS, ws.options, WITHIN):
        st.text("Each candidate and each reference is scored by SPARCS, SPURTS and MIMA.")
        progress.show(owner)
        return
    looking = current()
    found, known = collect(ws, store, looking.size), people()
    st.html(line_html(sentence(ws, found, known), palette, large=True))
    _chart(ws, found, known, looking, palette)
    st.html(line_html(meaning.note(found.placed, known, looking.size, bool(found.own)), palette, quiet=True))
    if found.remark:
        st.html(line_html(found.remark, palette, quiet=True))
    choice.set_number(
        st.slider, "Ellipse size", 0.5, 3.0, looking.size, lambda size: setattr(looking, "size", size),
        name="meaning size", step=0.05, width=320, help=SIZE_HELP,
    )  # fmt: skip


def current() -> Looking:
    return keeping.held(KEY, Looking, ready=True)


def sentence(ws: Workspace, found: Map, known: People) -> str:
    """Of the chosen candidate."""
    return next(meaning.sentence(one, known) for one in found.placed if one.key == str(ws.chosen))


def _chart(ws: Workspace, found: Map, known: People, looking: Looking, palette: Palette) -> None:
    drawn = meaning.draw(found.placed, known, looking.size, found.own, palette, found.badge)
    picked = st.plotly_chart(
        drawn, key="meaning chart", config=QUIET, theme=None, on_select="rerun", selection_mode="points"
    )
    names = clicked(picked)
    # A click counts once: the chart remembers it, and another candidate may be chosen elsewhere afterwards.
    new, st.session_state[CLICKED] = bool(names) and names != st.session_state.get(CLICKED), names
    looking.point = names[0] if new else looking.point
    said = next((one for one in found.placed if one.key == looking.point), None)
    st.text(f"{said.name}: {said.caption}" if said else HINT)
    if new and said and not said.reference and int(said.key) != ws.chosen:
        ws.chosen = int(said.key)
        ws.settle()
        st.rerun()
    if new and session.save():
        st.rerun()
