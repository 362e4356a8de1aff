"""Why two metrics disagree about a caption: their places, both explanations, and what Explore finds in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from capeval_core import CapEvalError, CaptionItem, registry
from capeval_core.explore.disagreement import Disagreement
from capeval_core.explore.findings import CaptionFindings
from capeval_core.figures import explore
from capeval_core.figures.palette import LIGHT
from capeval_core.types import Explanation
from pages.explore.rows import side_name
from pages.work.cells import explain


def said(
    one: Disagreement, item: CaptionItem, found: CaptionFindings, between: tuple[str, str], options: Mapping[str, Any]
) -> tuple[str, str]:
    """How far apart they put it, and why."""
    first, second = map(side_name, between)
    puts = "put" if between[0] in registry.GROUPS else "puts"
    places = f"{first} {puts} it above {one.first:.0%} of these captions, {second} above {one.second:.0%}."
    high, low = (explained(item, key, options) for key in (one.higher, one.lowest))
    return places, explore.why(one, found, high, low, LIGHT)


def explained(item: CaptionItem, key: str, options: Mapping[str, Any]) -> Explanation | None:
    try:
        return explain(item, key, dict(options))
    except CapEvalError:
        return None
