"""The line above Inspect: sample, upload, paste, open; metrics, options, share, export."""

from __future__ import annotations

import streamlit as st

from capeval_core.figures.words import short
from capeval_core.io.limits import APP
from pages.inspect import exports, stepper, steps
from pages.widgets import choice, metrics, options
from pages.widgets.popover import close, popover
from pages.widgets.upload import upload
from pages.work import samples, session, share, uploads, workspace
from pages.work.workspace import Workspace

OWN = "your own"
SAMPLE_WIDTH = 230  # pixels
LONGEST_NAME = 60  # of an image: it stands in exports and over the report
IMAGE, PASTE, OPEN = "image", "paste", "workspace"  # what opens over the page, and closes when it is done
EXAMPLE_REFERENCES = "a man paddles a canoe on a lake\na person in a red canoe"
EXAMPLE_CANDIDATES = "a man in a boat\na canoe on the water"


def show(ws: Workspace) -> None:
    # In one line; on a narrow screen in several, each button as wide as its words.
    with st.container(key="toolbar", horizontal=True, vertical_alignment="center", gap="small"):
        _pick_sample(ws)
        with popover("Upload image", name=IMAGE, icon=":material/image:"):
            upload("PNG, JPEG or WEBP", _take_image, name=IMAGE, most=uploads.MAX_IMAGE)
            st.caption("It stays on this machine.")
        with popover("Paste captions", name=PASTE, icon=":material/content_paste:"):
            _paste()
        with popover("Open", name=OPEN, icon=":material/folder_open:"):
            _open()
        steps.show()
        st.space("stretch")
        with st.popover("Metrics", icon=":material/tune:"):
            metrics.picker("metrics", ws.metrics, _choose_metrics)
        with st.popover("Options", icon=":material/settings:"):
            options.form(ws.metrics, ws.options, "options")
        with st.popover("Share", icon=":material/link:"):
            _share(ws)
        with st.popover("Export", icon=":material/download:"):
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
        width=SAMPLE_WIDTH,
    )


def _sample_picked(picked: str) -> None:
    if picked != OWN:
        ws = session.workspace()
        found = session.from_sample(picked)
        found.metrics, found.options = list(ws.metrics), dict(ws.options)
        session.replace(found)


def _take_image(file: uploads.File) -> None:
    close(IMAGE)

    def change() -> None:
        session.use_image(uploads.read_image(file))
        session.workspace().title = short(file[0] if isinstance(file, tuple) else file.name, LONGEST_NAME)

    session.attempt(change)


def _paste() -> None:
    with st.form("paste", border=False, clear_on_submit=True):
        _lines("References, one per line", "pasted references", EXAMPLE_REFERENCES)
        _lines("Candidates, one per line", "pasted candidates", EXAMPLE_CANDIDATES)
        st.checkbox("replace what is there", value=True, key="pasted anew")
        st.form_submit_button("Use them", type="primary", on_click=_pasted)


def _lines(label: str, key: str, example: str) -> None:
    st.text_area(label, key=key, height=130, max_chars=2_000_000, placeholder=example)


def _pasted() -> None:
    close(PASTE)
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
        if references and anew:
            ws.take_off()
        ws.settle()

    session.attempt(change)


def _open() -> None:
    upload("A workspace saved here (.zip)", _take_workspace, name=OPEN, most=APP.workspace)
    st.button("Start empty", width="stretch", on_click=_start_empty)
    steps.forget(lambda: close(OPEN))


def _start_empty() -> None:
    close(OPEN)
    session.replace(Workspace())


def _take_workspace(file: uploads.File) -> None:
    close(OPEN)

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
    if share.is_local(address):
        st.text("It works on this machine only: others do not know its address. For them, export the workspace.")
    st.code(f"{address}?{share.PARAMETER}={packed}", language=None, wrap_lines=True)
