"""What people mention: the references' concepts with how many people named each (SPARCS' typicality)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from capeval_core import CaptionItem
from capeval_core.metrics.sparcs import SparcsExplanation
from pages.work.cells import explain
from pages.work.workspace import IMAGE_ID, Workspace

SHOWN = 24


@dataclass(frozen=True, slots=True)
class Mention:
    stem: str
    words: tuple[str, ...]  # as people wrote it
    count: int  # people


def mentions(references: Sequence[str]) -> list[Mention]:
    """Most mentioned first. SPARCS on an empty caption misses every concept the references have."""
    if not references:
        return []
    found = _explain("", references)
    return [
        Mention(one.stem, one.reference_words, round(one.typicality * len(references))) for one in found.missed[:SHOWN]
    ]


def said_by(ws: Workspace) -> Mapping[int, Sequence[str]] | None:
    """The words by which each candidate says the clicked concept; None when none is clicked."""
    if not ws.concept or not ws.references:
        return None
    return {
        one.id: next((c.words for c in _explain(one.caption, ws.references).matched if c.stem == ws.concept), ())
        for one in ws.candidates
    }


def _explain(caption: str, references: Sequence[str]) -> SparcsExplanation:
    found = explain(CaptionItem(IMAGE_ID, caption, tuple(references)), "sparcs")
    assert isinstance(found, SparcsExplanation)
    return found
