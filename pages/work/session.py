"""The visitor's workspace: found in the session, in the store, in the address, or opened on the first sample."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from capeval_core import InvalidInput
from capeval_core.figures.words import clean
from capeval_core.io.dataset import DataSet
from pages.work import keeping, samples, share
from pages.work.history import History, Step, taken
from pages.work.jobs import Owner
from pages.work.workspace import Workspace, restore

WORKSPACE, HISTORY, STEP = "ws", "history", "step"


def workspace() -> Workspace:
    if WORKSPACE not in st.session_state:
        keeping.held(WORKSPACE, _first, lasting=True).settle()
    return keeping.held(WORKSPACE, _first)


def save(*, last: bool = False) -> bool:
    """To be called when a visitor may have changed something: a step for Undo, and what has changed is saved. True: the
    work has another address now, and the whole page must run to say so."""
    before = keeping.kept().id
    if WORKSPACE in st.session_state:
        st.session_state[STEP] = history().record(st.session_state.get(STEP), workspace())
    keeping.keep(last=last)
    return keeping.kept().id != before


def history() -> History:
    return keeping.held(HISTORY, History, lasting=True)


def step() -> Step:
    """Where the visitor is, as undo and redo see it."""
    return taken(workspace())


def undo() -> None:
    st.session_state[STEP] = history().undo(workspace())


def redo() -> None:
    st.session_state[STEP] = history().redo(workspace())


def owner(page: str) -> Owner:
    """Who asks for background work: Streamlit's name of the session, which says whether its tab is still open."""
    if "owner" not in st.session_state:
        context = get_script_run_ctx()
        st.session_state["owner"] = f"{context.session_id if context else ''} {uuid4().hex}"
    return str(st.session_state["owner"]), page


def replace(ws: Workspace) -> None:
    """Another workspace takes the place of this one; what the visitor looked at stays where it can."""
    old = workspace()
    ws.view, ws.metric, ws.sort, ws.seen = old.view, old.metric, old.sort, old.seen
    ws.next_id = max(ws.next_id, old.next_id)  # the browser must not take a new row for an old one
    for one in ws.candidates:
        one.id, ws.next_id = ws.next_id, ws.next_id + 1
    ws.chosen = ws.other = 0
    ws.settle()
    st.session_state[WORKSPACE] = ws


def attempt(change: Callable[[], None]) -> None:
    """A change that may be refused: the reason is shown, the workspace stays as it was."""
    try:
        change()
    except InvalidInput as error:
        workspace().message = str(error)


def from_sample(identity: str) -> Workspace:
    found = next(one for one in samples.samples() if one.id == identity)
    ws = Workspace(title=found.title, credit=found.credit, sample=found.id, image=found.image.read_bytes())
    ws.set_references(found.references)
    for system, caption in found.candidates.items():
        ws.add([caption], system)
    return ws


def open_row(data: DataSet, row: int) -> None:
    """A caption of a data set in Inspect: its image, its references, and everybody's captions scored against them."""
    item = data.items[row]
    old = workspace()
    ws = Workspace(title=f"image {clean(item.image_id)[:60]}", metrics=list(old.metrics), options=dict(old.options))
    ws.image_id = item.image_id
    try:
        ws.image = data.image(item.image_id)
    except InvalidInput as error:  # a damaged image: its captions can still be scored
        ws.message = str(error)
    for scene in samples.samples():
        if data.samples and scene.id == item.image_id:
            ws.title, ws.credit, ws.sample, ws.image = scene.title, scene.credit, scene.id, scene.image.read_bytes()
    ws.set_references(item.references)
    place = 0
    for other in data.images_rows[item.image_id]:
        one = data.items[other]
        if one.references == item.references:  # others were scored against other people: not the same question
            place = len(ws.candidates) if other == row else place
            ws.add([one.candidate], clean(one.system))
    replace(ws)
    ws.chosen = ws.candidates[place].id
    ws.settle()


def _first() -> Workspace:
    if keeping.has(WORKSPACE):
        return Workspace()  # about to be filled
    first = samples.samples()[0].id
    parameter = st.query_params.get(share.PARAMETER)
    if parameter is None:
        asked = st.query_params.get("sample", first)
        return from_sample(asked if asked in {one.id for one in samples.samples()} else first)
    try:
        ws = restore(share.decode(parameter))
    except InvalidInput as error:
        ws = from_sample(first)
        ws.message = str(error)
        return ws
    for one in samples.samples():
        if one.id == ws.sample:
            ws.image, ws.credit = one.image.read_bytes(), one.credit
    return ws


def use_image(data: bytes) -> None:
    """The visitor's own image; captions of a sample would not be about it, so they go."""
    ws = workspace()
    if ws.sample:
        replace(Workspace(metrics=list(ws.metrics), options=dict(ws.options)))
        ws = workspace()
    ws.image, ws.title, ws.credit, ws.sample = data, "", "", ""
