"""How alike metrics are: scipy's Spearman, in an order that keeps like beside like."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped]

from capeval_core.analysis import between


@pytest.mark.parametrize("decimals", [9, 0])
def test_equal_to_scipy(decimals: int) -> None:
    generator = np.random.default_rng(0)
    scores = {key: np.round(generator.normal(size=50) + place, decimals) for place, key in enumerate("abcd")}
    gaps = scores | {"b": np.where(np.arange(50) % 9 == 0, np.nan, scores["b"])}
    for given in (scores, gaps):
        found = between.compare(given)
        for key, row in found.items():
            assert list(row) == [other for other in found if other != key]
            for other, rho in row.items():
                known = np.isfinite(given[key]) & np.isfinite(given[other])
                assert rho == pytest.approx(stats.spearmanr(given[key][known], given[other][known]).statistic)


def test_those_alike_stand_side_by_side() -> None:
    generator = np.random.default_rng(1)
    one, two = generator.normal(size=(2, 200))
    scores = {
        f"{name} {place}": base + 0.3 * generator.normal(size=200)
        for place in range(3)
        for name, base in (("x", one), ("y", two))
    }
    order = [name[0] for name in between.compare(scores)]
    assert order in (["x"] * 3 + ["y"] * 3, ["y"] * 3 + ["x"] * 3)


def test_constant_scores_stand_at_the_end() -> None:
    generator = np.random.default_rng(2)
    found = between.compare({"flat": np.ones(9), **{key: generator.normal(size=9) for key in "abc"}})
    assert list(found)[-1] == "flat"
    assert all(math.isnan(rho) for rho in found["flat"].values())
    assert between.compare({"a": np.arange(3.0)}) == {"a": {}}
    assert between.compare({}) == {}
