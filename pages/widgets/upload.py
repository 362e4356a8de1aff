"""A file from a visitor, taken once: the widget then forgets it, and the same file can be given again."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile


def upload(label: str, take: Callable[[UploadedFile], object], *, name: str, most: int) -> None:
    """`most` bytes: the box says so, and the door (work/uploads.py) holds to it. What kind of file it is says the door
    too: Streamlit's own check ends in an error of the app."""
    given = f"{name} given"
    key = f"{name} {st.session_state.get(given, 0)}"

    def changed() -> None:
        file = st.session_state[key]
        if file is not None:
            take(file)
            st.session_state[given] = st.session_state.get(given, 0) + 1

    st.file_uploader(label, key=key, on_change=changed, max_upload_size=most // 1_000_000)
