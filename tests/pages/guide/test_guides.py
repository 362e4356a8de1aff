"""Every metric has a guide, whole and with an example that scores."""

from __future__ import annotations

import pytest

from capeval_core import CaptionItem, evaluate, registry
from pages.guide import guides

METRICS = sorted({registry.get(key).metric for key in registry.keys()})


@pytest.mark.parametrize("metric", METRICS)
def test_a_metric_has_a_whole_guide(metric: str) -> None:
    guide = guides.guide(metric)
    assert tuple(guide.sections) == guides.SECTIONS
    assert all(guide.sections.values())
    key = next(key for key in registry.keys() if registry.get(key).metric == metric)
    assert bool(guide.references) == registry.get(key).needs_references
    scores = evaluate([CaptionItem("guide", caption, guide.references) for caption in guide.captions], [key]).scores[
        key
    ]
    assert scores[0] != scores[1]  # the example shows a difference


def test_no_guide_is_left_over() -> None:
    assert {path.stem for path in guides.FOLDER.glob("*.md")} == set(METRICS)
