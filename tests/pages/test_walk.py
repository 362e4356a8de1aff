"""Walks over all pages: whatever a visitor does, in whatever order, no page fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from capeval_core import registry
from capeval_core.io.workspace import StoredWorkspace
from pages.judges import state as judges
from pages.perturb import data as perturb
from pages.systems import state as systems
from pages.work import share, workspace
from pages.work.samples import samples
from tests.pages.acts import Act, perform, targets
from tests.pages.client import Client, Fault
from tests.pages.walk import walk

# Models make a walk slow, not better: what is tested here is the pages. `make walk` takes all metrics.
DEAR = {spec.label for spec in registry.select(None) if spec.resources}
QUICK = tuple(spec.key for spec in registry.select(None) if not spec.resources)
# What each page begins with, and begins with again when a visitor starts over.
FIRST = (
    (judges, "first_keys"), (perturb, "first_metrics"), (systems, "first_keys"), (workspace, "first_metrics")
)  # fmt: skip


def link() -> dict[str, str]:
    """The first sample by metrics that need no model."""
    first = samples()[0]
    captions = tuple(first.candidates.items())
    packed = share.encode(StoredWorkspace(first.references, captions, QUICK, sample=first.id))
    assert packed
    return {share.PARAMETER: packed}


def cheap(act: Act) -> bool:
    chosen = act.value if isinstance(act.value, list) else [act.value]
    return "metrics all" not in act.name and not any(isinstance(one, str) and one in DEAR for one in chosen)


@pytest.mark.parametrize("seed", range(5))
def test_a_walk_meets_no_error(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in FIRST:
        monkeypatch.setattr(module, name, lambda *given: list(QUICK))
    walk(seed, query=link(), wanted=cheap)


LABEL_FOR_VALUE = """
import streamlit as st

texts = {"dogs": ["a dog", "two dogs"], "cats": ["a cat", "two cats"]}[st.selectbox("Image", ["dogs", "cats"])]
place = st.selectbox("Caption", range(2), format_func=texts.__getitem__, key="place")
st.text(texts[place])
"""
BROKEN = "import streamlit as st\nif st.button('Go'):\n    1 / 0"


def touch(script: str, folder: Path, *acts: Act) -> None:
    (folder / "app.py").write_text(script)
    client = Client(script=str(folder / "app.py"))
    client.run()
    for act in acts:
        perform(client, targets(client)[act.kind, act.name], act)


def test_a_walk_would_find_a_label_in_place_of_a_value(tmp_path: Path) -> None:
    """Other options, the same value: the browser still shows the old label, and sends it as the value."""
    with pytest.raises(Fault, match=r"'place': the browser shows .*\s.*a dog(.|\n)*the server holds .*\s.*a cat"):
        touch(LABEL_FOR_VALUE, tmp_path, Act("selectbox", "selectbox 'Image'", "cats"))


def test_a_walk_would_find_a_page_that_fails(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="the page failed"):
        touch(BROKEN, tmp_path, Act("button", "button 'Go'"))
