"""People's captions in numbers: the shipped figures are whole, and are those of the metrics as they are now."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from capeval_core import CaptionItem, evaluate
from capeval_core.analysis import ellipses, people
from capeval_core.analysis.people import KEYS, STEPS, describe
from capeval_core.analysis.systems import Scale
from tests.cases import needs_shared


def without_version(signature: str) -> str:
    return signature.rpartition("|v:")[0]


@pytest.mark.model
def test_the_figures_belong_to_the_metrics_as_they_are() -> None:
    found = evaluate([CaptionItem("1", "a dog runs", ("a dog", "the dog runs"))], KEYS)
    shipped = people.people().signatures
    assert {key: without_version(one) for key, one in shipped.items()} == {
        key: without_version(one) for key, one in found.signatures.items()
    }, "run make people-figures"


def test_the_figures_are_whole() -> None:
    found = people.people()
    assert found.captions == 2_500
    assert f"{found.captions:,} captions" in found.source
    for key in KEYS:
        assert (np.diff(found.quantiles[key]) >= 0).all()
        assert len(found.quantiles[key]) == len(STEPS)
    assert (np.diff(found.distances) >= 0).all()
    assert np.diag(found.covariance).tolist() == pytest.approx([1, 1], abs=1e-3)
    assert 0.4 < found.inside(ellipses.SIZE) < 0.6  # of a normal cloud 48 %


def test_shares_are_those_of_the_captions_they_were_measured_on() -> None:
    draw = np.random.default_rng(0)
    scores = {key: draw.normal(0.4, 0.1, 4_000) for key in KEYS}
    made = json.loads(json.dumps(describe(scores, dict.fromkeys(KEYS, "x"), "test captions")))
    found = people.People(
        made["captions"], made["source"], {key: Scale(**made["scales"][key]) for key in KEYS},
        np.array(made["covariance"]), {key: np.array(values) for key, values in made["quantiles"].items()},
        np.array(made["distances"]), made["signatures"],
    )  # fmt: skip
    for key in KEYS:
        points = found.scales[key].standardise(scores[key])
        for value in (-1.5, -0.2, 0.9):
            assert found.below(key, value) == pytest.approx((points < value).mean(), abs=0.01)
    assert found.below("sparcs", -99) == 0
    assert found.below("sparcs", 99) == 1
    assert found.inside(1.15) == pytest.approx(1 - math.exp(-(1.15**2) / 2), abs=0.02)
    outline = found.outline(1.15)
    turned = np.linalg.solve(np.linalg.cholesky(found.covariance), outline.T)
    assert np.hypot(*turned).tolist() == pytest.approx([1.15] * len(outline), abs=1e-6)


@needs_shared
def test_a_few_of_the_captions_lie_where_the_figures_say() -> None:
    from bench.guide_figures import human_items

    found = people.people()
    items = human_items()[:150]
    scores = evaluate(items, KEYS).scores
    for key in KEYS:
        middle = float(np.median(found.scales[key].standardise(scores[key])))
        assert 0.35 < found.below(key, middle) < 0.65, key
