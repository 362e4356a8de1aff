"""SMURF against the authors' published values, the branches of Eq. 12, and its evidence."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from capeval_core import CaptionItem, InvalidInput, MetricFailed, evaluate, explain, registry
from capeval_core.metrics import smurf
from capeval_core.metrics.smurf import PARTS, STANDARDS, SmurfExplanation, fuse
from tests.cases import karpathy, needs_shared
from tests.resources.test_transformer import small_tokenizer, tiny

REFERENCES = ("A brown dog runs on the beach.", "the dog is running by the sea", "dog on sand")


def explained(caption: str, model: str = "auto", **options: str) -> SmurfExplanation:
    chosen = {"smurf": options, "mima": {"model": model}, "spurts": {"model": model}}
    found = explain(CaptionItem("1", caption, REFERENCES), "smurf", options=chosen)
    assert isinstance(found, SmurfExplanation)
    return found


@needs_shared
def test_published_parts_give_every_published_value() -> None:
    _, scores = karpathy()
    standardised = [STANDARDS["paper"][key].apply(scores[key.upper()]) for key in PARTS]
    off = np.abs(fuse(standardised, "average") - scores["SMURF"])
    assert (off < 1e-9).sum() == 10_000
    low = standardised[0] < smurf.THRESHOLD
    assert 0 < low.sum() < 10_000  # both branches occur
    np.testing.assert_allclose(fuse(standardised, "sum"), scores["SMURF"] * np.where(low, 2, 3), rtol=0, atol=3e-9)


# Two rows of the authors' published table: SPARCS, SPURTS, MIMA, SMURF.
PUBLISHED = [
    (0.28, 0.4450358748435974, 0.48198574781417847, 0.6883860267891432),
    (0.4878048780487805, 0.34987887740135193, 0.4952074885368347, 0.4891438004568971),
]


@pytest.mark.parametrize("row", PUBLISHED)
def test_published_rows(row: tuple[float, ...]) -> None:
    parts = dict(zip(PARTS, row, strict=False))
    found = fuse([STANDARDS["paper"][key].apply(np.array([parts[key]])) for key in PARTS], "average")
    assert found[0] == pytest.approx(row[3], abs=1e-9)


@pytest.mark.parametrize(
    ("parts", "total", "mean"),
    [
        ((1.0, 0.5, 0.0), 1.0 + 2.46, (1.0 + 2.46) / 3),  # reward, no penalty
        ((1.0, -3.0, 0.0), 1.0, 1 / 3),  # no reward
        ((1.0, 0.0, -2.96), 1.0 + 1.96 - 1.0, (1.0 + 1.96 - 1.0) / 3),  # penalty
        ((-2.0, 0.5, 0.0), -2.0, -1.0),  # too little is said: the reward is held back
        ((-2.0, 0.5, -2.96), -3.0, -1.5),
        ((-1.96, 0.0, 0.0), 0.0, 0.0),  # at the threshold it is not
    ],
)
def test_branches(parts: tuple[float, ...], total: float, mean: float) -> None:
    arrays = [np.array([part]) for part in parts]
    assert fuse(arrays, "sum")[0] == pytest.approx(total, abs=1e-12)
    assert fuse(arrays, "average")[0] == pytest.approx(mean, abs=1e-12)


def test_bounds_are_those_of_the_parts() -> None:
    low, high = registry.get("smurf").bounds
    corners = np.array([[a, b, c] for a in (0.0, 1.0) for b in (0.0, 1.0) for c in (0.0, 1.0)]).T
    values = fuse([STANDARDS["paper"][key].apply(column) for key, column in zip(PARTS, corners, strict=True)], "sum")
    assert low <= values.min() < low + 0.01
    assert high - 0.01 < values.max() <= high


@pytest.mark.parametrize("fusion", ["sum", "average"])
@pytest.mark.parametrize("caption", ["a brown dog runs on the beach", "two airplanes", "", "the"])
def test_terms_add_up(caption: str, fusion: str) -> None:
    found = explained(caption, fusion=fusion)
    assert [term.name for term in found.terms] == list(PARTS)
    assert found.value == pytest.approx(
        sum(t.contribution for t in found.terms if t.counted) / found.divisor, abs=1e-12
    )
    assert [term.raw for term in found.terms] == [found.sparcs.value, found.spurts.value, found.mima.value]
    for term in found.terms:
        assert term.standardised == pytest.approx((term.raw - term.standard.mean) / term.standard.deviation, abs=1e-12)


def test_which_branch_applied_is_said() -> None:
    good, bad = explained("a brown dog runs on the beach"), explained("two airplanes")
    assert all(term.counted for term in good.terms)
    assert "reward counts" in good.branch
    assert [term.name for term in bad.terms if not term.counted] == ["spurts"]
    assert "too little" in bad.branch
    assert (good.divisor, explained("two airplanes", fusion="average").divisor) == (1, 2)


@pytest.mark.parametrize("model", ["estimate", "minilm"])
def test_odd_text_is_finite(model: str) -> None:
    texts = ["", "the", "dog", "\U0001f436", "a dog on the beach " * 400]
    items = [CaptionItem("1", text, REFERENCES) for text in texts]
    found = evaluate(items, ["smurf"], options={"mima": {"model": model}, "spurts": {"model": model}})
    assert all(map(math.isfinite, found.scores["smurf"]))
    assert "SPARCS: " in found.notes["smurf"][0]
    assert "MIMA: " in found.notes["smurf"][0]
    for item, value in zip(items, found.scores["smurf"], strict=True):
        assert explained(item.candidate, model=model).value == pytest.approx(value, abs=1e-4)


def test_wrong_options_are_refused() -> None:
    with pytest.raises(InvalidInput, match="sum or average"):
        smurf.Options(fusion="mean")
    with pytest.raises(MetricFailed, match="no mean and deviation"):
        smurf.standard("spurts", "/models/other")
    assert smurf.standard("spurts", "/models/distilroberta-base") == STANDARDS["paper"]["spurts"]


def test_smurf_follows_the_models_of_its_parts() -> None:
    item = CaptionItem("1", "a brown dog runs on the beach", REFERENCES)
    options = {"mima": {"model": "minilm"}, "spurts": {"model": "estimate"}}
    found = evaluate([item], ["sparcs", "spurts", "mima", "smurf"], options=options)
    terms = explain(item, "smurf", options=options)
    assert isinstance(terms, SmurfExplanation)
    assert [term.raw for term in terms.terms] == [found.scores[key][0] for key in PARTS]
    assert [term.standard for term in terms.terms[1:]] == [STANDARDS["paper"]["spurts"], STANDARDS["minilm"]["mima"]]
    assert terms.value == found.scores["smurf"][0]
    assert "|model:estimated from minilm+minilm|fusion:sum|" in terms.signature


def test_a_transformer_without_standards_costs_smurf_alone(tmp_path: Path) -> None:
    folder = tiny("distilbert", tmp_path / "mine")
    (folder / "tokenizer.json").write_text(small_tokenizer(), encoding="utf-8")
    item = CaptionItem("1", "a dog runs", REFERENCES)
    found = evaluate([item], ["mima", "smurf"], options={"mima": {"model": str(folder)}})
    assert list(found.scores) == ["mima"]
    assert "no mean and deviation of people's captions for MIMA by mine" in str(found.skipped["smurf"])
