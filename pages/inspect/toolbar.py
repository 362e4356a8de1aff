"""The line above Inspect: sample, upload, paste, open; metrics, options, share, export."""

from __future__ import annotations

import streamlit as st

from pages.inspect import exports, stepper
from pages.widgets import choice, metrics, options
from pages.widgets.upload import upload
from pages.work import samples, session, share, uploads, workspace
from pages.work.workspace import Workspace

OWN = "your own"


def show(ws: Workspace) -> None:
    slots = st.container(key="toolbar").columns(
        [2.3, 1.7, 1.8, 1.1, 0.6, 1.3, 1.3, 1.1, 1.2], gap="small", vertical_alignment="center"
    )
    with slots[0]:
        _pick_sample(ws)
    with slots[1], st.popover("Upload image", icon=":material/image:", width="stretch"):
        upload("PNG, JPEG or WEBP", _take_image, name="image")
        st.caption(f"Up to {uploads.MAX_IMAGE // 1_000_000} MB. It stays on this machine.")
    with slots[2], st.popover("Paste captions", icon=":material/content_paste:", width="stretch"):
        _paste()
    with slots[3], st.popover("Open", icon=":material/folder_open:", width="stretch"):
        _open()
    with slots[5], st.popover("Metrics", icon=":material/tune:", width="stretch"):
        metrics.picker("metrics", ws.metrics, _choose_metrics)
    with slots[6], st.popover("Options", icon=":material/settings:", width="stretch"):
        options.form(ws.metrics, ws.options, "options")
    with slots[7], st.popover("Share", icon=":material/link:", width="stretch"):
        _share(ws)
    with slots[8], st.popover("Export", icon=":material/download:", width="stretch"):
        exports.show(ws)
    with st.container():  # always there: what comes and goes inside it does not move the rest of the page's elements
        stepper.show(ws)
        if ws.message:
            st.error("This could not be done:", icon=":material/block:")
            st.text(ws.message)  # may quote the visitor: never markdown
            ws.message = ""


def _pick_sample(ws: Workspace) -> None:
    titles = {one.id: one.title for one in samples.samples()}
    choices = [*titles] if ws.sample in titles else [OWN, *titles]
    choice.pick(
        st.selectbox,
        "Sample",
        choices,
        ws.sample if ws.sample in titles else OWN,
        _sample_picked,
        name="sample",
        show=lambda one: titles.get(one, OWN),
        label_visibility="collapsed",
    )


def _sample_picked(picked: str) -> None:
    if picked != OWN:
        ws = session.workspace()
        found = session.from_sample(picked)
        found.metrics, found.options = list(ws.metrics), dict(ws.options)
        session.replace(found)


def _take_image(file: uploads.File) -> None:
    session.attempt(lambda: session.use_image(uploads.read_image(file)))


def _paste() -> None:
    with st.form("paste", border=False, clear_on_submit=True):
        st.text_area("References, one per line", key="pasted references", height=130, max_chars=2_000_000)
        st.text_area("Candidates, one per line", key="pasted candidates", height=130, max_chars=2_000_000)
        st.checkbox("replace what is there", value=True, key="pasted anew")
        st.form_submit_button("Use them", type="primary", on_click=_pasted)


def _pasted() -> None:
    ws = session.workspace()
    references = workspace.lines(st.session_state["pasted references"])
    candidates = workspace.lines(st.session_state["pasted candidates"])
    anew = st.session_state["pasted anew"]

    def change() -> None:
        draft = Workspace(references=list(ws.references), candidates=list(ws.candidates), next_id=ws.next_id)
        if references:
            draft.set_references(references if anew else [*ws.references, *references])
        if candidates:
            draft.candidates = [] if anew else draft.candidates
            draft.add(candidates)
        ws.references, ws.candidates, ws.next_id = draft.references, draft.candidates, draft.next_id
        ws.settle()

    session.attempt(change)


def _open() -> None:
    upload("A workspace saved here (.zip)", _take_workspace, name="workspace")
    st.button("Start empty", width="stretch", on_click=lambda: session.replace(Workspace()))


def _take_workspace(file: uploads.File) -> None:
    def change() -> None:
        session.replace(workspace.restore(uploads.read_workspace(file)))

    session.attempt(change)


def _choose_metrics(keys: list[str]) -> None:
    ws = session.workspace()
    ws.metrics = keys
    ws.settle()


def _share(ws: Workspace) -> None:
    packed = share.encode(ws.stored())
    if packed is None:
        st.text("These captions are too long for a link. Export the workspace instead and send the file.")
        return
    st.text("Captions, chosen metrics and options are in the link; an image of your own is not.")
    address = (st.context.url or "").split("?")[0]
    st.code(f"{address}?{share.PARAMETER}={packed}", language=None, wrap_lines=True)
