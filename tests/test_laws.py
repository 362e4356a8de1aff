"""Laws every metric obeys; a new registry row is checked without another line here."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from capeval_core import CaptionItem, evaluate, explain, registry

REFERENCES = ("A brown dog runs on the beach.", "the dog is running by the sea", "dog on sand")
ODD = {
    "empty": CaptionItem("1", "", REFERENCES),
    "blank": CaptionItem("1", " \t\n ", REFERENCES),
    "one word": CaptionItem("1", "dog", REFERENCES),
    "repeats": CaptionItem("1", "dog dog dog dog dog dog", REFERENCES),
    "emoji": CaptionItem("1", "\U0001f436 dog \U0001f3d6\ufe0f", REFERENCES),
    "only punctuation": CaptionItem("1", "?! ... --", REFERENCES),
    "other script": CaptionItem("1", "\u4e00\u53ea\u72d7 \u0441\u043e\u0431\u0430\u043a\u0430", REFERENCES),
    "right to left": CaptionItem("1", "\u202e\u05db\u05dc\u05d1 dog", REFERENCES),
    "tied lengths": CaptionItem("1", "a b c d", ("a b c", "a b c d e")),
    "long": CaptionItem("1", "a brown dog runs on the " * 417, REFERENCES),
    "long word": CaptionItem("1", "d" * 10_000, REFERENCES),
    "empty reference": CaptionItem("1", "a dog", ("",)),
    "empty among references": CaptionItem("1", "a dog", ("", *REFERENCES)),
    "both empty": CaptionItem("1", "", ("",)),
    "same reference twice": CaptionItem("1", "a dog", (REFERENCES[0], REFERENCES[0])),
    "line breaks": CaptionItem("1", "a dog\r\nruns\x0bon\u2028the beach", REFERENCES),
    "markup": CaptionItem("1", "<b>dog</b> $x$ ||| {} %s \x00", REFERENCES),
    "half a character": CaptionItem("1", "dog \ud83d", REFERENCES),
}
OTHERS = [
    CaptionItem("2", "a cat on a sofa", ("the cat sleeps", "a cat")),
    CaptionItem("3", "two men", ("two men talking", "men")),
]
KEYS = registry.keys()
# How far company may move a score: a float32 transformer rounds a little differently in each batch.
TOLERANCE = {key: 1e-5 if "minilm-weights" in registry.get(key).resources else 1e-12 for key in KEYS}
# With fewer than 50 images idf comes from the shipped table, so an item's score does not depend on its company.


@pytest.fixture(scope="module")
def alone() -> dict[str, dict[str, float]]:
    return {
        name: {key: float(values[0]) for key, values in evaluate([item]).scores.items()} for name, item in ODD.items()
    }


def test_no_metric_fails_on_anything_odd() -> None:
    evaluation = evaluate([*ODD.values(), *OTHERS])
    assert evaluation.skipped == {}


@pytest.mark.parametrize("name", ODD)
def test_odd_items(name: str, alone: dict[str, dict[str, float]]) -> None:
    item, scores = ODD[name], alone[name]
    assert list(scores) == list(KEYS)
    turned = evaluate([replace(item, references=item.references[::-1])]).scores
    among = evaluate([OTHERS[0], item, OTHERS[1]]).scores
    for key, value in scores.items():
        assert np.isfinite(value)
        assert registry.get(key).holds(value), key
        assert turned[key][0] == pytest.approx(value, abs=TOLERANCE[key]), key
        assert among[key][1] == pytest.approx(value, abs=TOLERANCE[key]), key
        assert explain(item, key).value == value, key


WORDS = ["a", "the", "dog", "dogs", "running", "ran", "isn't", "t-shirt", "$5", "(red)", "u.s.", "cat.", "!!", "'s"]
captions = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(WORDS)).map(" ".join),
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(captions, st.lists(captions, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_bounds_hold_and_reference_order_does_not_matter(candidate: str, references: list[str], random: object) -> None:
    item = CaptionItem("1", candidate, tuple(references))
    order = list(references)
    random.shuffle(order)  # type: ignore[attr-defined]
    evaluation = evaluate([item, replace(item, references=tuple(order))])
    assert evaluation.skipped == {}
    for key, (value, shuffled) in evaluation.scores.items():
        assert registry.get(key).holds(value)
        assert np.isfinite(value)
        assert shuffled == pytest.approx(value, abs=TOLERANCE[key])


@pytest.mark.parametrize("key", KEYS)
def test_registry_row_is_whole(key: str) -> None:
    spec = registry.get(key)
    assert spec.group in registry.GROUPS
    assert spec.direction in ("higher", "lower")
    assert spec.bounds[0] < spec.bounds[1]
    assert all((spec.label, spec.measures, spec.paper))
    assert type(explain(OTHERS[0], key)).__name__ == spec.explanation
