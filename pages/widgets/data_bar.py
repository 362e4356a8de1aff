"""The line that says which data set is open: its size, what it carries; and opens another one."""

from __future__ import annotations

import html
from collections.abc import Callable

import streamlit as st

from capeval_core.figures.words import clean, short
from capeval_core.io.limits import APP, megabytes
from pages.widgets.popover import close, popover
from pages.work import dataset

FILES, OPEN = "data files", "data open"
EXAMPLE = (
    '{"image_id": "1", "system": "m2", "candidate": "a man in a boat", "references": ["a man sits in a canoe"]}\n'
    '{"image_id": "1", "system": "human", "candidate": "a man paddles", "references": ["a man sits in a canoe"]}'
)
FORMATS = (
    "**JSONL** as above (JSON list, CSV, TSV and Parquet with the same fields; references also as reference_1, "
    "reference_2, ...), **COCO** results files with their annotation file, or what `score --out` wrote. **.gz** works "
    "for each of them. A **.zip** of these may hold images, named by their image_id. Scores, ratings and other columns "
    "are kept."
)
LIMITS = (
    f"Up to {megabytes(APP.upload)} per file, {megabytes(APP.unpacked)} unpacked, {APP.files} files; "
    f"{APP.captions:,} captions of {APP.characters:,} characters with {APP.references} references each, "
    f"{APP.captioners} captioners, {APP.images:,} images of {megabytes(APP.image)} and {APP.pixels // 1_000_000} "
    "million pixels. Files stay on this machine until you close them, at most 7 days after you last used them."
)
STYLE = """<style>
.st-key-data-bar { border-bottom: 1px solid rgba(128,128,128,.25); padding-bottom: .4rem; }
.data-bar { margin: 0; line-height: 1.35; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.data-bar span { opacity: .7; margin-left: 1.2em; } .data-bar b { font-weight: 600; }
</style>"""


def show() -> None:
    data = dataset.current()
    st.html(STYLE)
    # On a narrow screen the buttons go under the line.
    with st.container(key="data-bar", horizontal=True, vertical_alignment="center", gap="small"):
        parts = (data.size, ", ".join(data.carries))
        facts = "".join(f"<span>{html.escape(part)}</span>" for part in parts if part)
        name = html.escape(short(data.title, 60))
        st.html(f'<p class="data-bar">data: <b>{name}</b>{facts}</p>', width="stretch")
        with st.container(horizontal=True, width="content", gap="small", wrap=False):
            _buttons(data.samples)
    with st.container():  # always there: what comes and goes inside it does not move the rest of the page's elements
        message = dataset.take_message()
        if message:
            st.error("These files were not opened. What was open still is.", icon=":material/block:")
            st.text(clean(message))  # may quote the visitor: never markdown
        for note in data.notes:
            st.text(clean(note))


def _buttons(samples: bool) -> None:
    with popover("Open", name=OPEN, icon=":material/folder_open:"):
        choose()
    st.button(
        "Samples", icon=":material/photo_library:", disabled=samples, on_click=dataset.open_samples, key="data samples"
    )
    about = "Forget these files; the samples come back."
    st.button("Close", icon=":material/close:", disabled=samples, on_click=dataset.close, key="data close", help=about)


def choose(then: Callable[[], object] | None = None) -> None:
    """The formats, and the form that opens files; `then` follows, whether they could be opened or not."""
    st.code(EXAMPLE, language=None, wrap_lines=True)
    st.caption(FORMATS)
    with st.form("open data", border=False, clear_on_submit=True):
        # Any kind may be given: what cannot be read is said in our words, not as an error of the app.
        st.file_uploader(
            "Files of captions; several belong together",
            accept_multiple_files=True,
            max_upload_size=APP.upload // 1_000_000,
            key=FILES,
        )
        st.form_submit_button("Open them", type="primary", on_click=_opened, args=(then,))
    st.caption(LIMITS)


def _opened(then: Callable[[], object] | None) -> None:
    close(OPEN)
    dataset.open_files(st.session_state.get(FILES) or [])
    if then is not None:
        then()
