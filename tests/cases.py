"""What tests share: the golden cases the project owns, and the shared data where it is there."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capeval_core import CaptionItem
from capeval_core.shared import Shared
from capeval_core.text.parse import Parse
from capeval_core.types import Array

if TYPE_CHECKING:
    from capeval_core.metrics.typicality.passes import Passes
    from capeval_core.resources.transformer import Transformer

GOLDEN = Path(__file__).parent / "golden"
SHARED = Path(__file__).parents[2] / "shared" / "data"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not here")


def golden(name: str) -> Any:
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def rows(path: str) -> Iterator[Any]:
    with gzip.open(SHARED / path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


@cache
def karpathy() -> tuple[list[CaptionItem], dict[str, Array]]:
    """The 10,000 items of karpathy_a and the original tools' score of each, by the tool's name for it."""
    found = list(rows("karpathy/karpathy_a.jsonl.gz"))
    items = [CaptionItem(r["image_id"], r["caption"], tuple(r["references"]), r["system"]) for r in found]
    return items, {name: np.array([row["scores"][name] for row in found]) for name in found[0]["scores"]}


@cache
def karpathy_parses() -> dict[str, tuple[Parse, ...]]:
    """Every candidate and reference of karpathy_a, in COCO tokens, as our parser reads it."""
    from capeval_core.resources.caption_parser import caption_parser

    tokens = Shared().tokens
    texts = sorted({tokens(text) for item in karpathy()[0] for text in (item.candidate, *item.references)})
    return dict(zip(texts, caption_parser().parse(texts), strict=True))


@cache
def karpathy_passes() -> dict[str, Passes]:
    """Every candidate of karpathy_a as MiniLM sees it for the estimate of MIMA and SPURTS."""
    from capeval_core.training import flow_estimate_fit

    captions = [item.candidate for item in karpathy()[0]]
    return dict(zip(captions, flow_estimate_fit.run(captions, lambda line: None), strict=True))


def known_passes(
    model: Transformer, captions: Sequence[str], prepared: bool, keys: Sequence[str] = ("mima", "spurts")
) -> list[Passes]:
    """In place of `passes.run` of MiniLM: what the estimate reads as the plain method does is taken over."""
    from capeval_core.metrics.typicality.information_flow import prepare
    from capeval_core.metrics.typicality.passes import run

    known = {text: found for text, found in karpathy_passes().items() if prepared or prepare(text) == plain(text)}
    new = [caption for caption in captions if caption not in known]
    found = dict(zip(new, run(model, new, prepared, keys), strict=True)) if new else {}
    return [known[caption] if caption in known else found[caption] for caption in captions]


def plain(caption: str) -> str:
    """As MiniLM reads it: it knows no capitals."""
    return caption.rstrip().lower()
