"""Two candidates compared: their words beside the references', their scores, and why one is ahead of the other."""

from __future__ import annotations

from dataclasses import dataclass

from capeval_core import CapEvalError
from capeval_core.figures import compare, why
from capeval_core.figures.evidence import Caption
from capeval_core.figures.palette import Palette
from capeval_core.figures.tables import Grid
from capeval_core.metrics.meteor import MeteorExplanation
from capeval_core.text.stopwords import stopwords
from pages.inspect.candidates import defined
from pages.work.bands import bands
from pages.work.cells import Cells, explain
from pages.work.workspace import Candidate, Workspace

ABOUT = "Marked by what the references say; deeper where only one of the two says it."


@dataclass(frozen=True, slots=True)
class Comparison:
    sentence: str  # who is ahead, in all
    captions: tuple[Caption, Caption]
    table: Grid  # one row per metric, with its reason


def collect(ws: Workspace, chosen: Candidate, other: Candidate, store: Cells, palette: Palette) -> Comparison:
    scores = defined(ws, chosen, store), defined(ws, other, store)
    words = chosen.caption, other.caption
    near = _near(ws, chosen), _near(ws, other)
    reasons = {key: _reason(ws, chosen, other, key) for key in scores[0] if key in scores[1]}
    return Comparison(
        why.overall(*scores, compare.only(*words, ws.references, stopwords())),
        compare.word_diff(*words, ws.references, near),
        compare.differences(*scores, palette, bands(ws, store, ws.metrics), reasons),
    )


def _reason(ws: Workspace, chosen: Candidate, other: Candidate, key: str) -> str:
    try:
        return why.reason(*(explain(ws.item(one), key, ws.options) for one in (chosen, other)))
    except CapEvalError:
        return ""


def _near(ws: Workspace, one: Candidate) -> dict[str, str]:
    try:
        found = explain(ws.item(one), "meteor", ws.options)
    except CapEvalError:  # without METEOR's tables equal words alone are marked
        return {}
    assert isinstance(found, MeteorExplanation)
    return compare.near_words(found)
