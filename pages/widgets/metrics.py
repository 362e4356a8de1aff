"""The metric picker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from capeval_core import registry
from pages.widgets import choice


def picker(name: str, chosen: Sequence[str], write: Callable[[list[str]], object]) -> None:
    """In a popover: the metrics by group; `write` gets the chosen keys in the registry's order."""

    def of_group(keys: Sequence[str], picked: list[str]) -> None:
        found = {*(key for key in chosen if key not in keys), *picked}
        write([key for key in registry.keys() if key in found])

    for group in registry.GROUPS:
        keys = [spec.key for spec in registry.select(None) if spec.group == group]
        if keys:
            choice.pick_several(
                group,
                keys,
                chosen,
                partial(of_group, keys),
                name=f"{name} {group}",
                hidden=True,
                show=lambda key: registry.get(key).label,
            )
    st.button("All metrics", width="stretch", key=f"{name} all", on_click=_write_all, args=(write,))


def _write_all(write: Callable[[list[str]], object]) -> None:
    write(list(registry.keys()))
