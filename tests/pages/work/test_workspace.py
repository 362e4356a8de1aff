"""A visitor's workspace: what the browser asks for is done once, and nonsense not at all; links come back."""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np
import pytest

from capeval_core import InvalidInput
from capeval_core.io.workspace import StoredWorkspace
from pages.work import share, workspace
from tests.pages.cases import REFERENCES, make


def test_events_are_done_once_and_nonsense_is_ignored() -> None:
    ws = make()
    first = ws.candidates[0].id
    events: list[Any] = [
        {"n": 1, "op": "edit", "id": first, "texts": ["  a   big dog "]},
        {"n": 2, "op": "add", "texts": ["one\n\n two "]},
        {"n": 3, "op": "choose", "id": ws.candidates[1].id, "key": "rouge_l"},
    ]
    assert workspace.apply(ws, "table", events)
    assert not workspace.apply(ws, "table", events)
    assert [one.caption for one in ws.candidates] == ["a big dog", "a cat sleeps", "one", "two"]
    assert (ws.chosen, ws.metric) == (ws.candidates[1].id, "rouge_l")
    for nonsense in (None, 3, ["x"], [{"n": "4"}], [{"n": 9, "op": "edit", "id": "x"}], [{"n": 10, "op": "rm"}]):
        workspace.apply(ws, "table", nonsense)
    assert len(ws.candidates) == 4
    workspace.apply(ws, "table", [{"n": 11, "op": "edit", "id": first, "texts": ["x" * 10_001]}])
    assert "too long" in ws.message
    assert ws.candidates[0].caption == "a big dog"
    workspace.apply(ws, "table", [{"n": 12, "op": "remove", "id": first}])
    assert len(ws.candidates) == 3


def test_references_are_edited_only_where_the_visitor_saw_them() -> None:
    ws = make()
    workspace.apply(ws, "references", [{"n": 1, "op": "add reference", "texts": ["a\nb"]}])
    assert ws.references == [*REFERENCES, "a", "b"]
    workspace.apply(ws, "references", [{"n": 2, "op": "edit reference", "id": 3, "was": "a", "texts": []}])
    assert ws.references == [*REFERENCES, "b"]
    stale = {"n": 3, "op": "edit reference", "id": 3, "was": "a", "texts": ["c"]}
    outside = {"n": 4, "op": "edit reference", "id": 99, "was": "a", "texts": ["c"]}
    workspace.apply(ws, "references", [stale, outside])
    assert ws.references == [*REFERENCES, "b"]


def test_links_come_back_and_altered_ones_are_refused() -> None:
    stored = make().stored()
    packed = share.encode(stored)
    assert packed
    assert share.decode(packed) == stored
    noise = "".join(map(chr, np.random.default_rng(0).integers(0x4E00, 0x9000, 9_000)))
    assert share.encode(StoredWorkspace((noise,), ())) is None
    bomb = base64.urlsafe_b64encode(zlib.compress(b" " * 2_000_000, 9)).decode().rstrip("=")
    for wrong in ("", "@@", packed[:-9], packed[:20] + "x" + packed[21:], bomb, "A" * 5_000, "é"):
        with pytest.raises(InvalidInput, match="cannot be opened"):
            share.decode(wrong)
