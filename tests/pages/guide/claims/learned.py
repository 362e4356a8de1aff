"""What the guides of the learned metrics say."""

from __future__ import annotations

import numpy as np
import pytest

from capeval_core import CaptionItem, evaluate
from capeval_core.metrics.nneval import FEATURES, PAPER
from capeval_core.resources.score_network import ScoreNetwork, open_network
from tests.pages.guide.claims.facts import at_home, toy, toy_why, value, why

SNOW = ("two dogs play with a red ball in the snow", "two dogs are running after a ball")
SEA = ("a surfer rides a big wave", "a man on a surfboard in the sea")


def _network(key: str, variant: str = "free") -> ScoreNetwork:
    return open_network(key, "shipped", variant)


def nneval_question() -> None:
    assert 0 < toy("nneval")[1] < 0.5 < toy("nneval")[0] < 1


def nneval_reads() -> None:
    found = toy_why("nneval", "A")
    assert tuple(one.key for one in found.features) == FEATURES["nneval"] == PAPER
    assert len(PAPER) == 8


def nneval_network() -> None:
    for variant in ("free", "monotone"):
        assert [len(bias) for _, bias in _network("nneval", variant).layers] == [72, 72, 2]


def nneval_same_options() -> None:
    items = [CaptionItem("x", "two dogs run after a red ball", SNOW)]
    plain = evaluate(items, ["nneval"]).scores["nneval"]
    other = evaluate(
        items, ["nneval", "wmd", "cider"], options={"wmd": {"combine": "mean"}, "cider": {"idf": "corpus"}}
    )
    assert other.scores["nneval"] == plain


def nneval_views() -> None:
    assert {"bleu_1", "meteor", "spice", "wmd"} <= set(FEATURES["nneval"])


def nneval_other_image() -> None:
    assert np.mean([away for _, away in at_home("nneval")]) == pytest.approx(0.1, abs=0.03)


def nneval_adds_up() -> None:
    found = toy_why("nneval", "A")
    assert found.start + sum(one.push for one in found.features) == pytest.approx(found.log_odds, abs=1e-9)
    assert found.value == pytest.approx(1 / (1 + np.exp(-found.log_odds)))


def nneval_blind_spots() -> None:
    left, right = (why("nneval", one, *SNOW) for one in ("two dogs run after a ball", "Two Dogs run after a ball."))
    assert [one.value for one in left.features] == [one.value for one in right.features]
    assert left.value == right.value


def nneval_monotone() -> None:
    """Slopes at the inputs of training's mean caption and around it."""
    free, never = _network("nneval"), _network("nneval", "monotone")
    rows = np.random.default_rng(1).uniform(-1, 1, (500, len(PAPER)))
    assert (free._gradients(rows) < 0).any()
    assert (never._gradients(rows) >= 0).all()


def nneval_toy() -> None:
    one, two = toy_why("nneval", "A"), toy_why("nneval", "B")
    assert all(a.value > b.value for a, b in zip(one.features, two.features, strict=True))
    assert one.value > two.value


def nneval_plus_reads() -> None:
    assert FEATURES["nneval_plus"] == (*FEATURES["nneval"], "bertscore", "wembsim", "sparcs", "rouge_l", "i2ce")


def nneval_plus_context() -> None:
    assert "bertscore" in FEATURES["nneval_plus"]
    assert "bertscore" not in FEATURES["nneval"]


def nneval_plus_network() -> None:
    plus, plain = _network("nneval_plus"), _network("nneval")
    assert [len(bias) for _, bias in plus.layers] == [len(bias) for _, bias in plain.layers]
    assert plus.facts["captions"] == plain.facts["captions"]


def nneval_plus_synonyms() -> None:
    lost = []
    for key in ("nneval", "nneval_plus"):
        same = value(key, "a man rides a big wave on a surfboard", *SEA)
        lost.append(same - value(key, "a guy rides a huge wave on a surfboard", *SEA))
    assert lost[0] > lost[1]


def nneval_plus_other_image() -> None:
    assert np.mean([away for _, away in at_home("nneval_plus")]) < 0.1


def nneval_plus_order() -> None:
    backwards = why("nneval_plus", "surfboard a on wave big a rides man a", *SEA)
    straight = why("nneval_plus", "a man rides a big wave on a surfboard", *SEA)
    for key in ("bleu_1", "wmd", "sparcs"):
        left, right = (next(one.value for one in found.features if one.key == key) for found in (backwards, straight))
        assert left == pytest.approx(right)


def nneval_plus_toy() -> None:
    guide_a, guide_b = toy("nneval_plus")
    assert guide_a > 0.5 > guide_b
