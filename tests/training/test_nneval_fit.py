"""NNEval's training: loss and gradients against a slow computation, going on after a stop, the monotone variant."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from capeval_core.errors import InvalidInput
from capeval_core.resources.score_network import ScoreNetwork
from capeval_core.training import nneval, nneval_fit
from capeval_core.training.nneval import Judged, Plan, TrainingSet
from capeval_core.training.nneval_checkpoint import Epoch
from capeval_core.training.nneval_fit import Settings, loss_and_gradients

SETTINGS = Settings(epochs=3, seeds=2, units=6, batch=20, l2=1e-4, shares={"blind": 1.0, "random": 1.0, "fooling": 0.3})
PLAN = Plan(features=("spice", "cider", "wmd"), fit=SETTINGS)


def made(captions: int = 400) -> TrainingSet:
    """People's captions score higher, most of them."""
    chance = np.random.default_rng(3)
    pools = chance.choice(["human", "blind", "random", "fooling"], captions)
    quality = np.where(pools == "human", 0.6, np.where(pools == "blind", 0.4, 0.1))
    values = np.clip(quality[:, None] + chance.normal(0, 0.15, (captions, 3)), 0, 1)
    return TrainingSet(values, pools, pools, np.arange(captions) >= captions * 0.8)


def judged(data: TrainingSet) -> tuple[TrainingSet, Judged]:
    ratings = np.tile([1.0, 2.0, 3.0, 4.0], 5)
    return replace(data, judged=ratings[:, None] / [4, 2, 8]), Judged((), np.arange(20), ratings)


def slow_loss(weights: nneval_fit.Weights, inputs: np.ndarray, human: np.ndarray, l2: float) -> float:
    total = 0.0
    for row, label in zip(inputs, human, strict=True):
        hidden = row
        for number in (1, 2):
            hidden = np.array(
                [
                    max(0.0, float(w @ hidden) + b)
                    for w, b in zip(weights[f"weight {number}"], weights[f"bias {number}"], strict=True)
                ]
            )
        scores = np.exp(weights["weight 3"] @ hidden + weights["bias 3"])
        total -= np.log(scores[int(label)] / scores.sum())
    squares = sum((weights[f"weight {number}"] ** 2).sum() for number in (1, 2, 3))
    return float(total / len(human) + l2 / 2 * squares)


def test_loss_and_gradients_are_those_of_a_slow_computation() -> None:
    chance = np.random.default_rng(1)
    inputs, human = chance.normal(size=(7, 3)), np.array([0.0, 1, 1, 0, 1, 0, 0])
    weights = nneval_fit.start(inputs, replace(SETTINGS, units=4), 0).weights
    for name in weights:
        weights[name] = weights[name] + chance.normal(0, 0.1, weights[name].shape)
    loss, gradients = loss_and_gradients(weights, inputs, human, 0.01)
    assert loss == pytest.approx(slow_loss(weights, inputs, human, 0.01), abs=1e-12)
    for name, value in weights.items():
        for place in np.ndindex(value.shape):
            before, tiny = value[place], 1e-6
            value[place] = before + tiny
            above = slow_loss(weights, inputs, human, 0.01)
            value[place] = before - tiny
            below = slow_loss(weights, inputs, human, 0.01)
            value[place] = before
            assert gradients[name][place] == pytest.approx((above - below) / (2 * tiny), abs=1e-6), (name, place)


def same(left: ScoreNetwork, right: ScoreNetwork) -> bool:
    pairs = zip(left.layers, right.layers, strict=True)
    return all((a == b).all() and (c == d).all() for (a, c), (b, d) in pairs) and left.facts == right.facts


class Killed(Exception):
    pass


@pytest.mark.parametrize("stop", [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2)])
def test_a_run_that_was_killed_ends_as_an_unbroken_one(tmp_path: Path, stop: tuple[int, int]) -> None:
    data = made()
    seen: list[Epoch] = []
    whole = nneval.fit(data, PLAN, folder=tmp_path / "a", log=lambda line: None, on_epoch=seen.append)

    def kill(epoch: Epoch) -> None:
        if (epoch.seed, epoch.epoch) == stop:
            raise Killed

    with pytest.raises(Killed):
        nneval.fit(data, PLAN, folder=tmp_path / "b", log=lambda line: None, on_epoch=kill)
    rest: list[Epoch] = []
    assert same(nneval.fit(data, PLAN, folder=tmp_path / "b", log=lambda line: None, on_epoch=rest.append), whole)
    assert rest == seen[len(seen) - len(rest) :]
    assert len(rest) == 5 - (stop[0] * 3 + stop[1])
    assert same(nneval.fit(data, PLAN, log=lambda line: None), whole)  # and as one that keeps nothing


def test_other_settings_do_not_go_on_from_it(tmp_path: Path) -> None:
    nneval.fit(made(), PLAN, folder=tmp_path, log=lambda line: None)
    other = replace(PLAN, fit=replace(SETTINGS, l2=0.1))
    with pytest.raises(InvalidInput, match=r"other settings or data\. Fix: keep the settings"):
        nneval.fit(made(), other, folder=tmp_path, log=lambda line: None)
    (tmp_path / "network-free.safetensors").write_bytes(b"nothing")
    with pytest.raises(InvalidInput, match="cannot be read; found SafetensorError"):
        nneval.fit(made(), PLAN, folder=tmp_path, log=lambda line: None)


@pytest.mark.parametrize("variant", ["free", "monotone"])
def test_it_learns_to_tell_people_from_machines(variant: str) -> None:
    seen: list[Epoch] = []
    plan = replace(PLAN, fit=replace(SETTINGS, variant=variant, epochs=12, units=16))
    found = nneval.fit(made(2_000), plan, log=lambda line: None, on_epoch=seen.append)
    assert seen[11].loss < seen[0].loss - 0.05
    assert found.facts["figures"]["area under the curve"] > 0.9
    assert found.facts["figures"]["human or machine, held-out images"] > 0.8
    assert found.facts["figures"]["area under the curve"] == max(epoch.figure for epoch in seen)


def test_the_monotone_variant_never_falls_while_a_feature_rises() -> None:
    plan = replace(PLAN, fit=replace(SETTINGS, variant="monotone", epochs=6, units=16))
    found = nneval.fit(made(), plan, log=lambda line: None)
    rows = np.random.default_rng(5).uniform(0, 1, (200, 3))
    for place in range(3):
        higher = rows + np.eye(3)[place] * np.random.default_rng(6).uniform(0, 0.5, (200, 1))
        assert (found.probability(higher) >= found.probability(rows) - 1e-12).all()
    assert np.ptp(found.probability(rows)) > 0.5  # its units live


def test_early_stopping_is_by_tau_c_where_there_are_ratings() -> None:
    data, people = judged(made())
    found = nneval.fit(data, PLAN, people, log=lambda line: None)
    assert found.facts["figures"]["tau-c with people"] == pytest.approx(nneval.agreement(found, data, people))


def test_a_pool_counts_by_its_share() -> None:
    data = made()
    chances = nneval.drawing(data, replace(SETTINGS, shares={"blind": 3.0, "random": 1.0}))
    assert chances[data.pools == "blind"].sum() == pytest.approx(0.75)
    assert chances[data.pools == "random"].sum() == pytest.approx(0.25)
    assert chances.sum() == pytest.approx(1)
    assert not chances[data.held_out].any()
    with pytest.raises(InvalidInput, match="no machine captions"):
        nneval.drawing(data, replace(SETTINGS, shares={"coco": 1.0}))


def test_a_feature_without_a_value_is_refused() -> None:
    data = made()
    data.values[3, 1] = np.nan
    with pytest.raises(InvalidInput, match="no value; expected finite"):
        nneval.fit(data, PLAN, log=lambda line: None)
