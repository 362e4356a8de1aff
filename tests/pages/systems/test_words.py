"""What Systems says in words holds for what it draws."""

from __future__ import annotations

import re

import numpy as np
import pytest

from capeval_core import CaptionItem, registry
from capeval_core.analysis import systems
from capeval_core.analysis.systems import Analysis
from pages.systems import words

NAMES = ("human", "m2", "xt", "google")


def analysis(seed: int, count: int, axes: tuple[str, str] = ("sparcs", "spurts")) -> Analysis:
    chance = np.random.default_rng(seed)
    names = NAMES[:count]
    items = [CaptionItem(str(image), "a dog", (), name) for name in names for image in range(30)]
    shifts = np.repeat(chance.normal(scale=0.6, size=(count, 2)), 30, axis=0)
    values = chance.normal(size=(len(items), 2)) + shifts
    return systems.analyse(items, dict(zip(axes, values.T, strict=True)), "human", axes=axes, samples=0)


def centres(found: Analysis, place: int) -> dict[str, float]:
    return {one.system: float(one.cloud.points[:, place].mean()) for one in found.systems if one.cloud}


@pytest.mark.parametrize("seed", range(60))
def test_who_stands_apart_does(seed: int) -> None:
    found = analysis(seed, 2 + seed % 3, ("sparcs", "spurts") if seed % 2 else ("cider", "mima"))
    for place in range(2):
        said, known = words.apart(found, place), centres(found, place)
        away = {name: value - known["human"] for name, value in known.items()}
        name = max(away, key=lambda name: abs(away[name]))
        assert found.axes is not None
        key = found.axes[place]
        assert registry.get(key).label in said
        if abs(away[name]) < words.APART:
            assert "nobody" in said
            continue
        assert f" {name} " in said
        assert f"{abs(away[name]):.1f} standard deviations {'above' if away[name] > 0 else 'below'}" in said
        assert ("farthest" in said) == (len(known) > 2)
        for side, text in enumerate(words.SIDES.get(key, ())):
            assert (text in said) == (side == (away[name] > 0))


@pytest.mark.parametrize("seed", range(20))
def test_the_largest_overlap_is_named_with_what_it_does_not_say(seed: int) -> None:
    found = analysis(seed, 2 + seed % 3)
    said = words.overlap(found)
    shares = {one.system: one.cloud.overlap for one in found.systems if one.cloud and one.system != "human"}
    name = max(shares, key=shares.__getitem__)
    assert re.search(rf": {shares[name]:.0%}, of {name}\.", said)
    assert said.endswith(words.CAUTION)


def test_one_captioner_is_compared_with_nobody() -> None:
    found = analysis(0, 1)
    assert words.said(found) == "Load a second captioner to compare with."
    assert words.overlap(found) == ""


def test_how_many_captions_are_points() -> None:
    assert words.sample(14, 14, 70, 70) == "Points: all 70 captions."
    assert words.sample(100, 2_500, 400, 10_000).startswith(
        "Points: 400 of 10,000 captions, those of a random sample of 100 of 2,500 images."
    )
    assert words.sample(5, 5, 9, 10) == "Points: 9 of 10 captions; the others have no value on an axis."
