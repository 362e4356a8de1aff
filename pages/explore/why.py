"""Why two metrics disagree about a caption: made from both explanations and from what Explore finds in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from capeval_core import CapEvalError, CaptionItem, figures, registry
from capeval_core.explore.disagreement import Disagreement, because
from capeval_core.explore.findings import CaptionFindings
from capeval_core.figures.palette import LIGHT
from capeval_core.figures.words import short
from pages.work.cells import explain

LONGEST = 260  # characters of one metric's explanation


def said(
    one: Disagreement, item: CaptionItem, found: CaptionFindings, keys: tuple[str, str], options: Mapping[str, Any]
) -> str:
    first, second = (registry.get(key).label for key in keys)
    parts = [f"{first} puts it above {one.first:.0%} of these captions, {second} above {one.second:.0%}."]
    parts += [f"{registry.get(key).label}: {text}" for key in keys if (text := explained(item, key, options))]
    return " ".join([*parts, because(found)])


def explained(item: CaptionItem, key: str, options: Mapping[str, Any]) -> str:
    """The sentence that stands above the metric's evidence; nothing where it has none."""
    try:
        return short(figures.draw(explain(item, key, dict(options)), LIGHT).sentence, LONGEST)
    except CapEvalError:
        return ""
