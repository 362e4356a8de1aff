"""A small workspace, and evaluate() that remembers what it was asked for."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any

from PIL import Image

from capeval_core import CaptionItem, Evaluation, evaluate
from capeval_core.io.workspace import StoredWorkspace
from pages.work.cells import Cells
from pages.work.jobs import Jobs
from pages.work.workspace import Workspace, restore

NGRAM = ["bleu_1", "bleu_2", "rouge_l"]
REFERENCES = ("a dog runs on grass", "the dog is running", "a brown dog")
ME = ("me", "inspect")
SOON = 60.0


def make(captions: Sequence[str] = ("a dog", "a cat sleeps"), keys: Sequence[str] = NGRAM) -> Workspace:
    return restore(StoredWorkspace(REFERENCES, tuple(("", text) for text in captions), tuple(keys)))


def store(score: Any = evaluate) -> Cells:
    return Cells(Jobs(), score)


class Counting:
    """evaluate(), remembering what it was asked for."""

    def __init__(self) -> None:
        self.calls: list[tuple[list[str], tuple[str, ...]]] = []

    def __call__(self, items: Sequence[CaptionItem], keys: Iterable[str], **more: Any) -> Evaluation:
        self.calls.append(([item.candidate for item in items], tuple(keys)))
        return evaluate(items, keys, **more)


def finish(cells: Cells, ws: Workspace) -> None:
    items = [*ws.items(), *ws.human_items()]
    cells.want(ME, items, ws.metrics, ws.options)
    assert cells.wait(items, ws.metrics, ws.options, SOON) == []
    assert cells.jobs.finish(ME, SOON)


def picture(kind: str, size: tuple[int, int] = (30, 20)) -> bytes:
    target = io.BytesIO()
    Image.new("RGB", size, "red").save(target, kind)
    return target.getvalue()
