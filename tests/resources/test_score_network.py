"""NNEval's network: its arithmetic against a plain computation, its pushes, and files that are wrong."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from capeval_core.errors import InvalidInput
from capeval_core.resources import score_network
from capeval_core.resources.score_network import ScoreNetwork, load, open_network, write


def network(variant: str = "free", units: int = 5) -> ScoreNetwork:
    chance = np.random.default_rng(7)
    sizes = (3, units, units, 2)
    layers = tuple((chance.normal(size=(b, a)), chance.normal(size=b)) for a, b in pairwise(sizes))
    return ScoreNetwork(
        family="nneval",
        variant=variant,
        features=("spice", "cider", "wmd"),
        curves=("", "square root", "cube root"),
        low=np.array([0.0, 0.1, 0.0]),
        high=np.array([1.0, 2.5, 0.9]),
        centre=np.array([-0.5, -0.2, 0.1]),
        people_mean=np.array([0.2, 1.0, 0.1]),
        people_spread=np.array([0.1, 0.5, 0.05]),
        layers=layers,
        facts={},
    )


def by_hand(one: ScoreNetwork, values: list[float]) -> float:
    roots = [values[0], math.sqrt(values[1]), values[2] ** (1 / 3)]
    hidden = [
        min(1.0, max(-1.0, 2 * (root - low) / (high - low) - 1))
        for root, low, high in zip(roots, one.low.tolist(), one.high.tolist(), strict=True)
    ]
    for depth, (weights, biases) in enumerate(one.layers):
        rows = zip(weights.tolist(), biases.tolist(), strict=True)
        hidden = [sum(w * h for w, h in zip(row, hidden, strict=True)) + bias for row, bias in rows]
        hidden = [max(0.0, h) for h in hidden] if depth < 2 else hidden
    machine, human = (math.exp(score) for score in hidden)
    return human / (human + machine)


def test_the_probability_is_the_plain_formula() -> None:
    one = network()
    rows = np.array([[0.3, 1.7, 0.2], [0.0, 0.0, 0.0], [1.0, 10.0, 1.0]])
    assert one.probability(rows) == pytest.approx([by_hand(one, row) for row in rows.tolist()], abs=1e-12)


@pytest.mark.parametrize("units", [5, 72])
def test_the_pushes_add_up_and_are_the_integral_of_the_gradient(units: int) -> None:
    one = network(units=units)
    for values in np.random.default_rng(1).uniform(0, [1, 6, 0.7], (20, 3)):
        inputs = one.scaled(values[None])[0]
        pushes = one.pushes(inputs)
        start, end = one.log_odds(np.stack([one.centre, inputs]))
        assert pushes.sum() == pytest.approx(end - start, abs=1e-9)
        steps = (np.arange(20_000) + 0.5)[:, None] / 20_000
        way, tiny = one.centre + steps * (inputs - one.centre), 1e-7
        for place in range(3):
            shift = tiny * np.eye(3)[place]
            slope = (one.log_odds(way + shift) - one.log_odds(way - shift)) / (2 * tiny)
            expected = slope.mean() * (inputs - one.centre)[place]
            assert pushes[place] == pytest.approx(expected, abs=2e-3 * (1 + abs(end - start)))


def test_extreme_log_odds_stay_probabilities() -> None:
    assert score_network.sigmoid(np.array([-1e9, 0.0, 1e9])).tolist() == [0.0, 0.5, 1.0]


def test_a_file_gives_the_same_network_back(tmp_path: Path) -> None:
    path = tmp_path / "both.safetensors"
    write([network("free"), network("monotone", 9)], path)
    assert set(load(path)) == {"free", "monotone"}
    values = np.array([[0.3, 1.7, 0.2]])
    for variant, units in (("free", 5), ("monotone", 9)):
        found = open_network("nneval", str(path), variant)
        assert (found.variant, found.features) == (variant, ("spice", "cider", "wmd"))
        assert found.probability(values) == network(variant, units).probability(values)


def test_a_file_with_one_variant_gives_that_one(tmp_path: Path) -> None:
    write([network("monotone")], tmp_path / "one.safetensors")
    assert open_network("nneval", str(tmp_path / "one.safetensors"), "free").variant == "monotone"


def test_a_network_of_another_metric_is_refused(tmp_path: Path) -> None:
    write([replace(network(), family="nneval_plus")], tmp_path / "plus.safetensors")
    with pytest.raises(InvalidInput, match="another metric; expected nneval; found nneval_plus"):
        open_network("nneval", str(tmp_path / "plus.safetensors"), "free")


def parts() -> tuple[dict[str, Any], dict[str, Any]]:
    one = network()
    tensors = {f"free {name}": getattr(one, name) for name in score_network.TABLES}
    for number, (weight, bias) in enumerate(one.layers, 1):
        tensors |= {f"free weight {number}": weight, f"free bias {number}": bias}
    return tensors, {"features": list(one.features), "curves": list(one.curves), "facts": {}}


BROKEN: dict[str, dict[str, Any]] = {
    "a missing tensor": {"free weight 2": None},
    "another shape": {"free weight 1": np.zeros((5, 4))},
    "a bias of another length": {"free bias 2": np.zeros(6)},
    "one output": {"free weight 3": np.zeros((1, 5)), "free bias 3": np.zeros(1)},
    "a table of another length": {"free low": np.zeros(4)},
    "an empty range": {"free high": np.zeros(3)},
    "a number that is none": {"free weight 1": np.full((5, 3), np.nan)},
    "too many features": {"features": ["a", "b", "c", "d"]},
    "a feature twice": {"features": ["spice", "spice", "wmd"]},
    "features that are no list": {"features": "abc"},
    "a curve nobody knows": {"curves": ["", "", "exec"]},
    "facts that are none": {"facts": "none"},
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_wrong_file_is_refused_with_its_name(tmp_path: Path, name: str) -> None:
    tensors, about = parts()
    for key, value in BROKEN[name].items():
        (about if key in about else tensors)[key] = value
    path = tmp_path / "mine.safetensors"
    kept = {key: value for key, value in tensors.items() if value is not None}
    save_file(kept, path, {"family": "nneval", "about": json.dumps({"free": about})})
    with pytest.raises(InvalidInput, match=r"mine\.safetensors is no network for NNEval; expected a file that"):
        load(path)


@pytest.mark.parametrize("metadata", [{}, {"family": "nneval", "about": "[]"}, {"family": "nneval", "about": "{"}])
def test_a_file_that_says_nothing_of_itself_is_refused(tmp_path: Path, metadata: dict[str, str]) -> None:
    save_file(parts()[0], tmp_path / "mine.safetensors", metadata)
    with pytest.raises(InvalidInput, match="no network"):
        load(tmp_path / "mine.safetensors")


@pytest.mark.parametrize("cut", [0, 7, 100, 900])
def test_a_truncated_file_or_another_one_is_refused(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "mine.safetensors"
    write([network()], path)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(InvalidInput, match="no network"):
        load(path)
    path.write_bytes(b"\x80\x04\x95" + b"pickle" * 100)
    with pytest.raises(InvalidInput, match="no network"):
        load(path)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.safetensors"
    with path.open("wb") as file:
        file.truncate(score_network.LARGEST + 1)
    with pytest.raises(InvalidInput, match="at most 25,000,000"):
        load(path)
