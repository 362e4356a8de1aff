"""The visitor's workspace: found in the session, in the address, or opened on the first sample."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import streamlit as st

from capeval_core import InvalidInput
from pages.work import images, samples, share
from pages.work.workspace import Workspace, restore


def workspace() -> Workspace:
    if "ws" not in st.session_state:
        st.session_state["owner"] = uuid4().hex
        st.session_state["ws"] = _first()
    found: Workspace = st.session_state["ws"]
    return found


def owner() -> str:
    """This session's name towards the scorer."""
    return str(st.session_state["owner"])


def replace(ws: Workspace) -> None:
    """Another workspace takes the place of this one; what the visitor looked at stays where it can."""
    old: Workspace = st.session_state["ws"]
    ws.view, ws.metric, ws.seen = old.view, old.metric, old.seen
    ws.next_id = max(ws.next_id, old.next_id)  # the browser must not take a new row for an old one
    for one in ws.candidates:
        one.id, ws.next_id = ws.next_id, ws.next_id + 1
    ws.chosen = ws.other = 0
    ws.settle()
    st.session_state["ws"] = ws


def attempt(change: Callable[[], None]) -> None:
    """A change that may be refused: the reason is shown, the workspace stays as it was."""
    try:
        change()
    except InvalidInput as error:
        st.session_state["ws"].message = str(error)


def from_sample(identity: str) -> Workspace:
    found = next(one for one in samples.samples() if one.id == identity)
    ws = Workspace(title=found.title, credit=found.credit, sample=found.id, image=found.image.read_bytes())
    ws.set_references(found.references)
    for system, caption in found.candidates.items():
        ws.add([caption], system)
    return ws


def _first() -> Workspace:
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


def upload(data: bytes, name: str) -> None:
    """The visitor's own image; captions of a sample would not be about it, so they go."""
    ws: Workspace = st.session_state["ws"]
    picture = images.read_image(data)
    if ws.sample:
        replace(Workspace(metrics=list(ws.metrics)))
        ws = st.session_state["ws"]
    ws.image, ws.title, ws.credit, ws.sample = picture, name, "", ""
