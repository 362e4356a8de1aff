"""NNEval and NNEval+: golden values of the shipped networks, features from one pass, and what cannot fool them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from capeval_core import CaptionItem, evaluate, explain
from capeval_core.metrics import cider, spice, wmd
from capeval_core.metrics.nneval import FEATURES
from capeval_core.resources.score_network import open_network
from capeval_core.training.nneval_candidates import FOOLING, fool
from capeval_core.types import MetricResult
from tests.cases import golden, needs_shared, rows

CASES = [(key, case) for key in ("nneval", "nneval_plus") for case in golden(key)["cases"]]
ITEM = CaptionItem("1", "two dogs run in the snow", ("two dogs play in the snow", "dogs are running outside"))
KEYS = pytest.mark.parametrize("key", ["nneval", "nneval_plus"])
VARIANTS = pytest.mark.parametrize("variant", ["free", "monotone"])


@pytest.mark.parametrize(("key", "case"), CASES, ids=[f"{key} {case['variant']}" for key, case in CASES])
def test_golden(key: str, case: dict[str, Any]) -> None:
    items = [CaptionItem(str(row), one["candidate"], tuple(one["references"])) for row, one in enumerate(case["items"])]
    found = evaluate(items, [key], options={key: {"variant": case["variant"]}})
    expected = [one["value"] for one in case["items"]]
    rounding = 1e-6 if key == "nneval_plus" else 1e-9  # BERTScore is a transformer's, which rounds by processor
    assert found.scores[key] == pytest.approx(expected, abs=rounding)
    assert found.corpus[key] == pytest.approx(np.mean(expected), abs=rounding)


@KEYS
@VARIANTS
def test_the_score_is_the_networks_answer_to_the_metrics_own_scores(key: str, variant: str) -> None:
    made = evaluate([ITEM], [*FEATURES[key], key], options={"cider": {"idf": "coco"}, key: {"variant": variant}})
    values = np.column_stack([made.scores[feature] for feature in FEATURES[key]])
    assert made.scores[key] == open_network(key, "shipped", variant).probability(values)


@KEYS
@VARIANTS
def test_the_evidence_adds_up(key: str, variant: str) -> None:
    found: Any = explain(ITEM, key, options={key: {"variant": variant}})
    assert found.value == evaluate([ITEM], [key], options={key: {"variant": variant}}).scores[key][0]
    assert found.start + sum(one.push for one in found.features) == pytest.approx(found.log_odds, abs=1e-9)
    assert found.value == pytest.approx(1 / (1 + np.exp(-found.log_odds)), abs=1e-12)
    assert tuple(one.key for one in found.features) == FEATURES[key]
    for one in found.features:
        assert one.people_spread > 0
        assert one.distance == pytest.approx((one.value - one.people_mean) / one.people_spread)


def test_no_feature_is_computed_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one evaluation SPICE, CIDEr and WMD score the batch once for themselves, SPIDEr, NNEval and NNEval+."""
    calls: Counter[str] = Counter()
    for module in (spice.Spice, cider.Cider, wmd.Wmd):

        def counted(
            self: Any, items: Sequence[CaptionItem], kind: Any = module, score: Any = module.score
        ) -> MetricResult:
            calls[kind.__name__] += 1
            found: MetricResult = score(self, items)
            return found

        monkeypatch.setattr(module, "score", counted)
    keys = ["cider", "spice", "spider", "wmd", "nneval", "nneval_plus"]
    together = evaluate([ITEM], keys, options={"cider": {"idf": "coco"}})
    assert calls == {"Spice": 1, "Cider": 1, "Wmd": 1}
    for key in keys:
        assert evaluate([ITEM], [key], options={"cider": {"idf": "coco"}}).scores[key] == together.scores[key]


def test_other_options_of_a_feature_do_not_reach_it() -> None:
    chosen = {"cider": {"idf": "corpus", "sigma": 2.0}, "wmd": {"combine": "mean"}, "bertscore": {"measure": "recall"}}
    for key in ("nneval", "nneval_plus"):
        plain, other = evaluate([ITEM], [key]), evaluate([ITEM], [*FEATURES[key], key], options=chosen)
        assert other.scores[key] == plain.scores[key]
        assert other.signatures[key] == plain.signatures[key]
        assert "|idf:coco-val2014(40504 images," in plain.signatures[key]


def test_a_network_that_is_not_there_is_said(tmp_path: Path) -> None:
    from capeval_core.errors import InvalidInput

    with pytest.raises(InvalidInput, match="no such model"):
        evaluate([ITEM], ["nneval"], options={"nneval": {"model": str(tmp_path / "none.safetensors")}})
    (tmp_path / "bad.safetensors").write_bytes(b"\x00" * 100)
    with pytest.raises(InvalidInput, match="no network for NNEval"):
        evaluate([ITEM], ["nneval"], options={"nneval": {"model": str(tmp_path / "bad.safetensors")}})


# Reversed and shuffled captions keep their words: what the features cannot see no network can.
LEAST = {"reversed": 0.5, "shuffled": 0.5, "doubled": 0.95, "one word": 0.95, "empty": 0.95, "joined": 0.95}


@needs_shared
@pytest.mark.parametrize("key", ["nneval"])
def test_peoples_captions_score_above_what_is_made_to_fool(key: str) -> None:
    chance, items = random.Random(5), []
    for _, row in zip(range(60), rows("flickr30k/flickr30k_val.jsonl.gz"), strict=False):
        caption, *others = row["captions"]
        texts = [caption, *(fool(kind, caption, others, chance) for kind in FOOLING)]
        items += [CaptionItem(row["image_id"], text, tuple(others)) for text in texts]
    values = evaluate(items, [key]).scores[key].reshape(-1, len(FOOLING) + 1)
    for place, kind in enumerate(FOOLING, 1):
        assert (values[:, 0] > values[:, place]).mean() >= LEAST[kind] - 0.03, kind
