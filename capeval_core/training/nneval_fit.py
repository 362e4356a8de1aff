"""Trains NNEval's network on scores of people's and machine captions: cross-entropy, L2, Adam; the gradients by hand.

`monotone`: no weight on the way from a score to P(human) is negative, so the probability never falls while a score
rises. Weights are put back to 0 after each step; the second layer's biases start at minus a random share of what
enters the unit on average, or every unit would always be on.

An epoch takes every human caption once and as many machine ones, drawn by the weights of their pools. Each epoch draws
from its own random numbers, so that a run that goes on from a checkpoint ends where an unbroken one does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from capeval_core import pace
from capeval_core.resources.score_network import sigmoid
from capeval_core.types import Array

Weights = dict[str, Array]  # "weight 1", "bias 1", ...
LAYERS = 3
# How often captions of each pool (or pool:kind) are drawn; the model cards say how these were chosen.
SHARES: Mapping[str, float] = {
    "coco": 0.3,
    "flickr": 0.3,
    "random": 0.5,
    "blind": 1.0,
    "fooling:joined": 0.1,
    "fooling:doubled": 0.25,
    "fooling:one word": 0.05,
    "fooling:empty": 0.03,
    "fooling:reversed": 0.03,
    "fooling:shuffled": 0.03,
}
PLUS_SHARES = {
    **SHARES,
    "coco": 0.2,
    "flickr": 0.2,
    "fooling:joined": 0.08,
    "fooling:doubled": 0.2,
    "fooling:reversed": 0.02,
    "fooling:shuffled": 0.02,
}
# What a monotone network cannot refuse (the references joined: high scores everywhere) weighs little.
MONOTONE_SHARES = {
    **SHARES,
    "coco": 1.0,
    "flickr": 1.0,
    "fooling:joined": 0.05,
    "fooling:doubled": 0.1,
    "fooling:one word": 0.1,
    "fooling:empty": 0.05,
    "fooling:reversed": 0.02,
    "fooling:shuffled": 0.02,
}


@dataclass(frozen=True, slots=True)
class Settings:
    variant: str = "free"
    epochs: int = 30
    seeds: int = 3  # networks that are trained; the best on the validation figure is kept
    seed: int = 1
    units: int = 72
    learning_rate: float = 1e-3
    l2: float = 1e-2
    batch: int = 75
    shares: Mapping[str, float] = field(default_factory=lambda: dict(SHARES))


def recipe(key: str, variant: str, shares: Mapping[str, float] | None = None) -> Settings:
    """As the shipped networks were trained; `shares` in place of the recipe's."""
    if variant == "monotone":
        return Settings(variant, l2=1e-3, shares=dict(shares or MONOTONE_SHARES))
    if key == "nneval_plus":
        return Settings(variant, learning_rate=3e-4, shares=dict(shares or PLUS_SHARES))
    return Settings(variant, shares=dict(shares or SHARES))


@dataclass
class State:
    """A network in training: its weights and what Adam remembers of each."""

    weights: Weights
    first: Weights
    second: Weights
    step: int = 0


def start(inputs: Array, settings: Settings, seed: int) -> State:
    chance = np.random.default_rng([settings.seed, seed])
    sizes = (inputs.shape[1], settings.units, settings.units, 2)
    weights: Weights = {}
    for number, (before, after) in enumerate(pairwise(sizes), 1):
        weights[f"weight {number}"] = chance.normal(0, np.sqrt(2 / before), (after, before))
        weights[f"bias {number}"] = np.zeros(after)
    if settings.variant == "monotone":
        _let_units_live(weights, inputs, chance)
    zeros = {name: np.zeros_like(value) for name, value in weights.items()}
    return State(weights, zeros, {name: value.copy() for name, value in zeros.items()})


def _let_units_live(weights: Weights, inputs: Array, chance: np.random.Generator) -> None:
    """Weights of one sign add up: smaller ones, and biases that let every unit be on for some captions only."""
    for number in (1, 2):
        weights[f"weight {number}"] = np.abs(weights[f"weight {number}"]) / np.sqrt(len(weights[f"bias {number}"]) / 8)
    units = len(weights["bias 1"])
    weights["bias 1"] = chance.uniform(-0.5, 1, units)
    hidden = np.maximum(inputs @ weights["weight 1"].T + weights["bias 1"], 0)
    mean: Array = (hidden @ weights["weight 2"].T).mean(axis=0)
    weights["bias 2"] = -chance.uniform(0, 1, units) * mean
    keep_monotone(weights)


def keep_monotone(weights: Weights) -> None:
    for name in ("weight 1", "weight 2"):
        np.maximum(weights[name], 0, out=weights[name])
    np.minimum(weights["weight 3"][0], 0, out=weights["weight 3"][0])
    np.maximum(weights["weight 3"][1], 0, out=weights["weight 3"][1])


def loss_and_gradients(weights: Weights, inputs: Array, human: Array, l2: float) -> tuple[float, Weights]:
    """Mean cross-entropy of the two classes plus l2 / 2 times the squared weights, biases left out."""
    hidden = [inputs]
    for number in range(1, LAYERS):
        hidden.append(np.maximum(hidden[-1] @ weights[f"weight {number}"].T + weights[f"bias {number}"], 0))
    scores = hidden[-1] @ weights["weight 3"].T + weights["bias 3"]
    chance = sigmoid(scores[:, 1] - scores[:, 0])
    likely = np.logaddexp(0, np.where(human == 1, -1, 1) * (scores[:, 1] - scores[:, 0]))
    decay = sum(float((weights[f"weight {number}"] ** 2).sum()) for number in range(1, LAYERS + 1))
    error = (chance - human) / len(human)
    slope = np.stack([-error, error], axis=1)
    found: Weights = {}
    for number in range(LAYERS, 0, -1):
        found[f"weight {number}"] = slope.T @ hidden[number - 1] + l2 * weights[f"weight {number}"]
        found[f"bias {number}"] = slope.sum(axis=0)
        slope = (slope @ weights[f"weight {number}"]) * (hidden[number - 1] > 0)
    return float(likely.mean()) + l2 / 2 * decay, found


def adam(state: State, gradients: Weights, rate: float) -> None:
    """Kingma and Ba 2015, with their constants."""
    state.step += 1
    grown = rate * np.sqrt(1 - 0.999**state.step) / (1 - 0.9**state.step)
    for name, gradient in gradients.items():
        first, second = state.first[name], state.second[name]
        first += 0.1 * (gradient - first)
        second += 0.001 * (gradient**2 - second)
        state.weights[name] -= grown * first / (np.sqrt(second) + 1e-8)


def one_epoch(
    state: State, inputs: Array, human: Array, chances: Array, settings: Settings, seed: int, epoch: int
) -> float:
    """The mean loss. `chances`: how often each row is drawn, for the machine ones; they add up to 1."""
    generator = np.random.default_rng([settings.seed, seed, epoch])
    total, count = 0.0, 0
    for rows in batches(human, chances, settings.batch, generator):
        pace.look()
        loss, gradients = loss_and_gradients(state.weights, inputs[rows], human[rows], settings.l2)
        adam(state, gradients, settings.learning_rate)
        if settings.variant == "monotone":
            keep_monotone(state.weights)
        total, count = total + loss, count + 1
    return total / max(count, 1)


def batches(human: Array, chances: Array, size: int, generator: np.random.Generator) -> Iterator[Array]:
    """Every human row once, and as many machine rows."""
    people = np.flatnonzero(human == 1)
    machines = generator.choice(len(human), len(people), p=chances)
    mixed = generator.permutation(np.concatenate([people, machines]))
    yield from (mixed[place : place + size] for place in range(0, len(mixed), size))
