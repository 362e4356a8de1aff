"""Corpus scores from sums of chunks, for every metric of the registry; and chunks of what is in memory."""

from __future__ import annotations

import json
import math

import pytest

from capeval_core import CaptionItem, Evaluation, evaluate, registry
from capeval_core.engines import batches
from capeval_core.engines.tasks import Setup
from capeval_core.engines.totals import Totals
from capeval_core.io.writers import summary
from capeval_core.service import chosen_options
from tests.engines.test_local import InProcess

TEXTS = ["a dog runs on the grass", "two men sit at a table", "a red bus", "the cat sleeps", "", "ein Hund läuft"]
ITEMS = [
    CaptionItem(
        f"{number}", TEXTS[number % 6], tuple(TEXTS[(number + step) % 5] for step in range(1, number % 4)), name
    )
    for number in range(18)
    for name in ("human", "m2")
]
OPTIONS = {"bertscore": {"idf": "references"}}


@pytest.fixture(scope="module")
def whole() -> Evaluation:
    return evaluate(ITEMS, options=OPTIONS, device="cpu")


def equal(found: float | None, expected: float | None) -> bool:
    if found is None or expected is None:
        return found is expected
    return math.isclose(found, expected, rel_tol=0, abs_tol=1e-12)


def test_sums_of_chunks_give_the_corpus_scores(whole: Evaluation) -> None:
    """The same rows, so that nothing but the order of sums can differ."""
    totals, keys = Totals(), list(whole.scores)
    for rows in ([0, 3, 5], [1, 2, 4, *range(6, 20)], list(range(20, 36))):
        part = Evaluation(tuple(ITEMS[row] for row in rows), signatures=whole.signatures)
        for name in dict.fromkeys(registry.get(key).metric for key in keys):
            _copy(whole, part, name, rows)
        totals.add(Totals.from_json(json.loads(json.dumps(Totals.of(part).as_json()))))
    found = totals.summary(keys, chosen_options(registry.select(keys), OPTIONS))
    expected = summary(whole)
    assert list(found["systems"]) == list(expected["systems"])
    for name, system in expected["systems"].items():
        for part_name in ("corpus", "mean_of_segments"):
            for key, value in system[part_name].items():
                assert equal(found["systems"][name][part_name][key], value), (part_name, key)
        assert found["systems"][name]["undefined"] == system["undefined"]


def _copy(whole: Evaluation, part: Evaluation, name: str, rows: list[int]) -> None:
    """A metric's share of some rows."""
    import numpy as np

    from capeval_core.types import MetricResult

    keys = [key for key in whole.scores if registry.get(key).metric == name]
    for key in keys:
        part.scores[key] = whole.scores[key][rows]
        part.notes[key] = {at: whole.notes[key][row] for at, row in enumerate(rows) if row in whole.notes[key]}
    needed = registry.get(keys[0]).needs_references
    places = np.array([at for at, row in enumerate(rows) if ITEMS[row].references or not needed], dtype=np.int64)
    part.add_statistics(name, keys, None, places, MetricResult({}, whole.statistics_of(name, rows)))  # type: ignore[arg-type]


def test_chunks_of_what_is_in_memory_are_one_evaluation(whole: Evaluation) -> None:
    keys = tuple(whole.scores)
    found = batches.evaluate(ITEMS, Setup(keys, OPTIONS, "cpu"), InProcess, chunk=7)
    assert found.skipped == whole.skipped
    assert found.signatures == whole.signatures
    assert found.stand_ins == whole.stand_ins
    for key in keys:
        # A transformer's batch holds other captions here: its sums are rounded otherwise. SMURF divides such values by
        # deviations of a few hundredths.
        assert found.scores[key] == pytest.approx(whole.scores[key], abs=1e-5 if key == "smurf" else 1e-6, nan_ok=True)
        assert found.notes[key] == whole.notes[key]
        assert found.corpus[key] == pytest.approx(whole.corpus[key], abs=1e-6, nan_ok=True)
        assert found.corpus_of([0, 2, 9])[key] == pytest.approx(whole.corpus_of([0, 2, 9])[key], abs=1e-6, nan_ok=True)
