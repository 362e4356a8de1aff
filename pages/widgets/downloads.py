"""Files to take away. Nothing is made before it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st

KINDS = {"html": "text/html", "csv": "text/csv", "json": "application/json", "jsonl": "application/json"}
KINDS |= {"safetensors": "application/octet-stream"}
Make = Callable[[], str | bytes]


def show(files: dict[str, tuple[str, Make]], width: Literal["stretch", "content"] = "stretch") -> None:
    """By label: the file's name, which starts with capeval-, and what makes it."""
    for label, (name, make) in files.items():
        kind = KINDS.get(name.rpartition(".")[2], "application/zip")
        st.download_button(
            label, make, f"capeval-{name}", kind, on_click="ignore", width=width, key=f"download {name}"
        )  # fmt: skip
