"""The line above Inspect: sample, upload, paste, open; metrics, share, export."""

from __future__ import annotations

import streamlit as st

from capeval_core import registry
from capeval_core.io import workspace as files
from pages.inspect import exports
from pages.work import images, samples, share, workspace
from pages.work import session as state
from pages.work.workspace import Workspace

OWN = "your own"


def show(ws: Workspace) -> None:
    slots = st.container(key="toolbar").columns(
        [2.4, 1.7, 1.8, 1.1, 1.4, 1.25, 1.1, 1.15], gap="small", vertical_alignment="center"
    )
    with slots[0]:
        _pick_sample(ws)
    with slots[1], st.popover("Upload image", icon=":material/image:", width="stretch"):
        _upload()
    with slots[2], st.popover("Paste captions", icon=":material/content_paste:", width="stretch"):
        _paste()
    with slots[3], st.popover("Open", icon=":material/folder_open:", width="stretch"):
        _open()
    with slots[5], st.popover("Metrics", icon=":material/tune:", width="stretch"):
        _choose_metrics(ws)
    with slots[6], st.popover("Share", icon=":material/link:", width="stretch"):
        _share(ws)
    with slots[7], st.popover("Export", icon=":material/download:", width="stretch"):
        exports.show(ws)
    with st.container():  # always there: what comes and goes inside it does not move the rest of the page's elements
        if ws.message:
            st.error("The last change was not made.", icon=":material/block:")
            st.text(ws.message)  # may quote the visitor: never markdown
            ws.message = ""


def _pick_sample(ws: Workspace) -> None:
    titles = {one.id: one.title for one in samples.samples()}
    choices = [*titles] if ws.sample else [OWN, *titles]
    st.session_state["sample"] = ws.sample if ws.sample in titles else OWN
    st.selectbox(
        "Sample",
        choices,
        key="sample",
        format_func=lambda one: titles.get(one, OWN),
        on_change=_sample_picked,
        label_visibility="collapsed",
    )


def _sample_picked() -> None:
    picked = st.session_state["sample"]
    if picked != OWN:
        found = state.from_sample(picked)
        found.metrics = list(st.session_state["ws"].metrics)
        state.replace(found)


def _upload() -> None:
    # A fresh key after each upload: the widget forgets the file, and the same one can be uploaded again.
    key = f"upload {st.session_state.get('uploads', 0)}"
    st.file_uploader(
        "PNG, JPEG or WEBP", type=["png", "jpg", "jpeg", "webp"], key=key, on_change=_uploaded, args=(key,)
    )
    st.caption("Up to 10 MB. It stays on this machine.")


def _uploaded(key: str) -> None:
    file = st.session_state[key]
    if file is not None:
        state.attempt(lambda: state.upload(file.getvalue() if file.size <= images.MAX_BYTES else bytes(file.size), ""))
        st.session_state["uploads"] = st.session_state.get("uploads", 0) + 1


def _paste() -> None:
    with st.form("paste", border=False, clear_on_submit=True):
        st.text_area("References, one a line", key="pasted references", height=130, max_chars=2_000_000)
        st.text_area("Candidates, one a line", key="pasted candidates", height=130, max_chars=2_000_000)
        st.checkbox("in place of what is there", value=True, key="pasted anew")
        st.form_submit_button("Use them", type="primary", on_click=_pasted)


def _pasted() -> None:
    ws: Workspace = st.session_state["ws"]
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

    state.attempt(change)


def _open() -> None:
    key = f"open {st.session_state.get('opened', 0)}"
    st.file_uploader("A workspace saved here (.zip)", type=["zip"], key=key, on_change=_opened, args=(key,))
    if st.button("Start empty", width="stretch"):
        state.replace(Workspace())
        st.rerun()


def _opened(key: str) -> None:
    file = st.session_state[key]
    if file is None:
        return

    def change() -> None:
        found = workspace.restore(files.read_zip(file.getvalue()))
        if found.image is not None:
            found.image = images.read_image(found.image)
        state.replace(found)

    state.attempt(change)
    st.session_state["opened"] = st.session_state.get("opened", 0) + 1


def _choose_metrics(ws: Workspace) -> None:
    for group in registry.GROUPS:
        specs = [spec for spec in registry.select(None) if spec.group == group]
        if specs:
            key = f"metrics {group}"
            st.session_state[key] = [spec.key for spec in specs if spec.key in ws.metrics]
            st.pills(
                group,
                [spec.key for spec in specs],
                selection_mode="multi",
                key=key,
                format_func=lambda one: registry.get(one).label,
                on_change=_metrics_chosen,
            )
    if st.button("All", width="stretch"):
        ws.metrics = list(registry.keys())
        st.rerun()


def _metrics_chosen() -> None:
    ws: Workspace = st.session_state["ws"]
    chosen = {key for group in registry.GROUPS for key in st.session_state.get(f"metrics {group}", ())}
    ws.metrics = [key for key in registry.keys() if key in chosen]
    ws.settle()


def _share(ws: Workspace) -> None:
    packed = share.encode(ws.stored())
    if packed is None:
        st.text("These captions are too long for a link. Export the workspace instead and send the file.")
        return
    st.text("Captions and chosen metrics are in the link; an image of your own is not.")
    address = (st.context.url or "").split("?")[0]
    st.code(f"{address}?{share.PARAMETER}={packed}", language=None, wrap_lines=True)
