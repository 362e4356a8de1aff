"""I2CE's losses against a slow, plain computation, one number at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
import torch

from capeval_core.resources.sentence_network import END, START, SentenceConfig, SentenceNetwork
from capeval_core.training import i2ce_losses as losses

CAPTIONS = [[4, 5, 6, 7], [8, 5, 9], [4, 8]]
IMAGES = [0, 0, 1]
CONFIG = SentenceConfig(words=12, embedding=3, hidden=4)


def network(seed: int = 0) -> SentenceNetwork:
    torch.manual_seed(seed)
    found = SentenceNetwork(CONFIG).double()
    for parameter in found.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return found


def batch() -> tuple[torch.Tensor, torch.Tensor]:
    longest = max(map(len, CAPTIONS))
    rows = torch.tensor([caption + [0] * (longest - len(caption)) for caption in CAPTIONS])
    return rows, torch.tensor([len(caption) for caption in CAPTIONS])


def value(loss: torch.Tensor) -> float:
    return float(loss.detach())


def sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-value))


def dot(left: Sequence[float], right: Sequence[float]) -> float:
    return math.fsum(a * b for a, b in zip(left, right, strict=True))


def cosine(left: Sequence[float], right: Sequence[float]) -> float:
    return dot(left, right) / math.sqrt(dot(left, left) * dot(right, right))


def step(gru: torch.nn.Module, word: Sequence[float], state: Sequence[float]) -> list[float]:
    """Equations 1 to 4, in plain Python."""
    weights = {name: value.tolist() for name, value in gru.state_dict().items()}
    size, found = len(state), []
    for unit in range(size):
        rows = [gate * size + unit for gate in range(3)]
        given = [dot(weights["input.weight"][row], word) + weights["input.bias"][row] for row in rows]
        own = [dot(weights["weight"][row], state) + weights["bias"][row] for row in rows]
        update = sigmoid(given[1] + own[1])
        fresh = math.tanh(given[2] + sigmoid(given[0] + own[0]) * own[2])
        found.append((1 - update) * fresh + update * state[unit])
    return found


def plain_vectors(model: SentenceNetwork) -> list[list[float]]:
    table = model.word.weight.tolist()
    found = []
    for caption in CAPTIONS:
        state = [0.0] * CONFIG.hidden
        for word in caption:
            state = step(model.reader, table[word], state)
        found.append(state)
    return found


def plain_nll(model: SentenceNetwork, vectors: list[list[float]], weight: Sequence[float] = (1.0,) * 12) -> list[float]:
    """Of every word that should be written, caption by caption; `weight`: how often each word counts in the softmax."""
    table, bias = model.word.weight.tolist(), model.bias.tolist()
    matrix, shift = model.output.weight.tolist(), model.output.bias.tolist()
    found = []
    for caption, vector in zip(CAPTIONS, vectors, strict=True):
        state = vector
        for before, wanted in zip([START, *caption], [*caption, END], strict=True):
            state = step(model.writer, table[before], state)
            point = [dot(row, state) + more for row, more in zip(matrix, shift, strict=True)]
            scores = [dot(word, point) + more for word, more in zip(table, bias, strict=True)]
            found.append(math.log(dot(weight, [math.exp(score) for score in scores])) - scores[wanted])
    return found


def test_reconstruction_is_the_mean_nll_of_a_word() -> None:
    model, (rows, lengths) = network(), batch()
    vectors = model.read(rows, lengths)
    np.testing.assert_allclose(vectors.detach(), plain_vectors(model), atol=1e-12)
    expected = plain_nll(model, plain_vectors(model))
    assert value(losses.reconstruction(model, vectors, rows, lengths)) == pytest.approx(
        math.fsum(expected) / len(expected)
    )


def test_with_all_words_sampled_nothing_is_estimated() -> None:
    model, (rows, lengths) = network(), batch()
    vectors = model.read(rows, lengths)
    whole = losses.reconstruction(model, vectors, rows, lengths)
    assert value(losses.reconstruction(model, vectors, rows, lengths, torch.arange(12))) == pytest.approx(value(whole))


def test_sampled_words_stand_for_those_that_were_not() -> None:
    model, (rows, lengths) = network(), batch()
    vectors = model.read(rows, lengths).detach()
    own = {END, 4, 5, 6, 7, 8, 9}
    weight = [1.0 if word in own else 5 / 2 if word in (1, 10) else 0.0 for word in range(12)]  # two for five
    expected = plain_nll(model, plain_vectors(model), weight)
    found = losses.reconstruction(model, vectors, rows, lengths, torch.tensor([10, 4, 1, 10]))
    assert value(found) == pytest.approx(math.fsum(expected) / len(expected))


def test_margin_of_pairs_of_different_images() -> None:
    model, (rows, lengths) = network(), batch()
    vectors = plain_vectors(model)
    for beta in (-1.0, -0.2, 0.1):
        pairs = [(a, b) for a in range(3) for b in range(3) if IMAGES[a] != IMAGES[b]]
        expected = math.fsum(max(0.0, cosine(vectors[a], vectors[b]) - beta) for a, b in pairs) / len(pairs)
        found = losses.margin(model.read(rows, lengths), torch.tensor(IMAGES), beta)
        assert value(found) == pytest.approx(expected, abs=1e-12)
    assert value(losses.margin(model.read(rows, lengths), torch.zeros(3), 0.0)) == 0  # one image: nothing to push


def test_triplet_of_anchor_similar_and_negative() -> None:
    model, (rows, lengths) = network(), batch()
    vectors = plain_vectors(model)
    for alpha in (0.0, 0.2, 3.0):
        per_anchor = []
        for anchor, similar in ((0, 1), (1, 0)):
            short = alpha + cosine(vectors[anchor], vectors[2]) - cosine(vectors[anchor], vectors[similar])
            per_anchor.append(max(0.0, short))
        found = losses.triplet(model.read(rows, lengths), torch.tensor(IMAGES), alpha)
        assert value(found) == pytest.approx(math.fsum(per_anchor) / 2, abs=1e-12)
    assert value(losses.triplet(model.read(rows, lengths), torch.arange(3), 0.2)) == 0  # no image has two captions


def test_triplet_takes_the_mean_of_what_is_not_yet_apart() -> None:
    vectors = torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.9, math.sqrt(0.19)], [-1.0, 0.0]])
    found = losses.triplet(vectors, torch.tensor([0, 0, 1, 2]), 0.2)
    # Both anchors: 0.2 + 0.9 - 1 for the caption of image 1, nothing for that of image 2.
    assert value(found) == pytest.approx(0.1, abs=1e-6)


@pytest.mark.parametrize("kind", ["reconstruction", "sampled", "margin", "triplet"])
def test_gradients_are_those_of_small_steps(kind: str) -> None:
    model, (rows, lengths) = network(1), batch()

    def loss() -> torch.Tensor:
        vectors = model.read(rows, lengths)
        if kind == "margin":
            return losses.margin(vectors, torch.tensor(IMAGES), -1.0)
        if kind == "triplet":
            return losses.triplet(vectors, torch.tensor(IMAGES), 2.5)
        return losses.reconstruction(
            model, vectors, rows, lengths, torch.tensor([10, 11]) if kind == "sampled" else None
        )

    loss().backward()  # type: ignore[no-untyped-call]
    random = np.random.default_rng(0)
    for name, parameter in model.named_parameters():
        if parameter.grad is None:
            assert kind in ("margin", "triplet"), name  # the writer is not asked
            continue
        flat, gradient = parameter.data.view(-1), parameter.grad.view(-1)
        for place in random.choice(len(flat), min(4, len(flat)), replace=False).tolist():
            before, found = float(flat[place]), []
            for change in (1e-5, -1e-5):
                flat[place] = before + change
                found.append(value(loss()))
            flat[place] = before
            assert float(gradient[place]) == pytest.approx((found[0] - found[1]) / 2e-5, abs=1e-7), name
