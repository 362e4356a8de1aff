"""The sentence of each metric on a small case, word for word."""

from __future__ import annotations

import pytest

from capeval_core import CaptionItem, explain
from capeval_core.figures import draw
from capeval_core.figures.palette import LIGHT

LAKE = CaptionItem(
    "1",
    "a man wearing a life jacket is in a small boat on a lake",
    (
        "A man wearing a lifevest is sitting in a canoe.",
        "a man wearing a red life jacket is sitting in a canoe on a lake",
        "A guy with a red jacket is standing on a boat.",
    ),
)
NEAR = CaptionItem(
    "2", "two guys wearing vests sit in the tiny canoe", ("two men with life vests seated in a small canoe",)
)
SAME = CaptionItem("3", "a dog runs", ("a dog runs",))
OTHER = CaptionItem("4", "red bus", ("two cats sleep",))
EMPTY = CaptionItem("5", "", ("two cats sleep",))
SENTENCES: list[tuple[str, CaptionItem, str]] = []


@pytest.mark.parametrize(
    ("key", "item", "sentence"), SENTENCES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_sentence(key: str, item: CaptionItem, sentence: str) -> None:
    assert draw(explain(item, key), LIGHT).sentence == sentence
