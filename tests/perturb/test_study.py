"""The sensitivity study: its arithmetic, and that one evaluation is enough."""

from __future__ import annotations

import numpy as np
import pytest

from capeval_core import CaptionItem, InvalidInput, evaluate
from capeval_core.perturb import study as module
from capeval_core.perturb.study import study
from tests.perturb.test_perturb import ITEMS, OTHERS

METRICS = ["bleu_1", "rouge_l"]


def test_everything_is_scored_in_one_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counted(items, *args, **options):  # type: ignore[no-untyped-def]
        calls.append(len(items))
        return evaluate(items, *args, **options)

    monkeypatch.setattr(module, "evaluate", counted)
    found = study(ITEMS, ["synonyms", "order"], METRICS, strength=3, samples=50)
    assert calls == [len(ITEMS) + len(found.variants)]


def test_cells_are_what_the_scores_say() -> None:
    found = study(ITEMS, None, METRICS, corpus=OTHERS, samples=200, strength=2)
    for cell in found.cells:
        rows = [row for row, variant in enumerate(found.variants) if variant.kind == cell.kind]
        before = [found.scores[cell.metric][found.variants[row].item] for row in rows]
        after = [found.scores[cell.metric][len(ITEMS) + row] for row in rows]
        assert cell.pairs == len(rows)
        assert cell.change == pytest.approx((np.mean(after) - np.mean(before)) / np.mean(before))
        wins = sum(one > other + 1e-12 for one, other in zip(before, after, strict=True))
        assert cell.accuracy == pytest.approx((wins + cell.ties / 2) / len(rows))
        assert np.isnan(cell.low) or cell.low - 1e-9 <= cell.change <= cell.high + 1e-9
        assert [found.change(cell.metric, row) for row in rows] == pytest.approx(np.subtract(after, before))
    assert list(found.table.columns) == METRICS
    assert "synonyms" in found.table.index
    assert "just_person" not in found.table.index
    assert list(found.accuracy.index) == METRICS
    assert list(found.accuracy.columns)[-2:] == ["average", "worst"]
    assert found.accuracy.loc["bleu_1", "worst"] == found.accuracy.iloc[0, :-2].min()


def test_a_bag_of_words_does_not_see_word_order() -> None:
    found = study(ITEMS, ["order"], ["bleu_1"], samples=20)
    assert found.table["bleu_1"].to_numpy() == pytest.approx(0, abs=1e-9)
    assert all(cell.ties == cell.pairs and cell.accuracy == 0.5 for cell in found.cells)


def test_the_rate_at_which_kinds_can_be_made() -> None:
    items = [CaptionItem("1", "A man sits."), CaptionItem("2", "A man sits in a park.")]
    rates = study(items, ["just_scene", "just_person"], [], samples=1).rates
    assert rates == {"just_person": 1.0, "just_scene": 0.5}


def test_without_references_the_cells_are_undefined() -> None:
    (cell,) = study([CaptionItem("1", "A man sits in a park.")], ["typo"], ["bleu_1"], samples=5).cells
    assert cell.pairs == 0
    assert np.isnan([cell.change, cell.accuracy]).all()


def test_nothing_to_perturb() -> None:
    with pytest.raises(InvalidInput, match="nothing to perturb"):
        study([])
