"""What many findings say together: rates with intervals, pairs, slices, disagreement, wording. Without a model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from capeval_core import CaptionItem, InvalidInput
from capeval_core.explore.compare import compare
from capeval_core.explore.disagreement import because, disagreements
from capeval_core.explore.findings import CaptionFindings, Error
from capeval_core.explore.kinds import KINDS
from capeval_core.explore.profile import profile
from capeval_core.explore.slices import slices
from capeval_core.explore.wording import odds, template, wording


def finding(image: int, system: str, kinds: Sequence[str] = (), **fields: object) -> CaptionFindings:
    errors = tuple(Error(kind, "words", 0.5, f"{kind} is shown.") for kind in kinds)
    return CaptionFindings(str(image), system, "a caption", "a caption", errors=errors, **fields)  # type: ignore[arg-type]


def two() -> list[CaptionFindings]:
    """Of 50 images `old` repeats itself on 20 and `new` on none; `new` alone breaks the ending of 5."""
    old = [finding(n, "old", ["repetition"] if n < 20 else [], noun_support=0.5) for n in range(50)]
    new = [finding(n, "new", ["broken_ending"] if 18 <= n < 23 else [], noun_support=0.7) for n in range(50)]
    return [*old, *new]


def test_rates_are_per_hundred_with_intervals_around_them() -> None:
    old, new = profile(two(), samples=300)
    assert (old.system, old.captions, old.images, old.errors) == ("old", 50, 50, 20)
    rate = old.rates["repetition"]
    assert (rate.rate, rate.captions) == (40.0, 20)
    # Of a share p among n images the middle 95 % lie about 1.96 sqrt(p (1 - p) / n) to each side.
    wide = 196 * math.sqrt(0.4 * 0.6 / 50)
    assert rate.low == pytest.approx(40 - wide, abs=4)
    assert rate.high == pytest.approx(40 + wide, abs=4)
    assert (new.rates["repetition"].rate, new.any.rate) == (0.0, 10.0)
    # None on 50 images: a rate of 7.1 of 100 would still show none once in 40 times (0.929 ** 50 = 0.025).
    assert (new.rates["repetition"].low, round(new.rates["repetition"].high, 1)) == (0.0, 7.1)
    assert new.noun_support.rate == pytest.approx(0.7)
    assert list(old.rates) == list(KINDS)


def test_captions_of_one_image_are_drawn_together() -> None:
    """Ten captions of an image that share an error tell no more than one does."""
    once = profile([finding(n, "s", ["repetition"] if n < 10 else []) for n in range(40)], samples=400)[0]
    tenfold = profile([finding(n % 40, "s", ["repetition"] if n % 40 < 10 else []) for n in range(400)], samples=400)[0]
    one, ten = once.rates["repetition"], tenfold.rates["repetition"]
    assert ten.high - ten.low == pytest.approx(one.high - one.low, rel=0.1)


def test_one_image_has_no_interval() -> None:
    (one,) = profile([finding(1, "s", ["repetition"])])
    assert one.rates["repetition"].rate == 100.0
    assert math.isnan(one.rates["repetition"].low)


def test_what_is_fixed_and_what_is_broken() -> None:
    found = compare(two(), "new", "old", samples=300)
    by_kind = {one.kind: one for one in found.differences}
    gone = by_kind["repetition"]
    assert (gone.system, gone.against, gone.difference, gone.images) == (0.0, 40.0, -40.0, 50)
    assert gone.low < -40 < gone.high < 0
    assert gone.corrected < 0.05
    assert [one.image_id for one in found.fixed] == [str(n) for n in range(18)]
    assert [one.image_id for one in found.broken] == ["20", "21", "22"]
    assert found.mixed == 2  # 18 and 19
    assert found.fixed[0].kinds == ("repetition",)
    assert (found.fixed[0].system, found.fixed[0].against) == (50, 0)
    assert found.sentences[0].startswith("Repetition: 0.0 of 100 captions of new, 40.0 of old (difference -40.0")
    assert found.noun_support[0] == pytest.approx(0.2)


def test_an_unknown_captioner_is_said() -> None:
    with pytest.raises(InvalidInput, match="no captioner 'x'"):
        compare(two(), "x", "old")


def sliced() -> list[CaptionFindings]:
    """Captions about boats are bad, those about dogs are as good as the rest."""
    generator = np.random.default_rng(2)
    found = []
    for n in range(400):
        concept = "boat" if n % 8 == 0 else "dog" if n % 8 == 1 else "tree"
        wrong = generator.random() < (0.8 if concept == "boat" else 0.2)
        kinds = ["invented_object"] if wrong else []
        support = 0.4 if concept == "boat" else 0.7
        size, noise = 6 if n % 2 else 9, float(generator.normal(0, 0.05))
        found.append(finding(n, "s", kinds, concepts=(concept,), noun_support=support + noise, agreeing=3, size=size))
    return found


def test_the_worst_slice_is_found_by_itself() -> None:
    findings = sliced()
    column = [str(n % 3) for n in range(400)]
    found = slices(findings, scores={"cider": np.linspace(0, 1, 400)}, columns={"part": column})
    worst = [one for one in found if one.worst]
    assert worst[0].name == "the references mention boat"
    assert set(worst[0].worse) == {"any", "noun_support"}
    assert worst[0].captions == 50
    assert worst[0].rates["any"].value > 60
    assert not any("dog" in one.name or one.name.startswith("part") for one in worst)
    names = {one.name for one in found}
    assert {"part is 0", "1 to 7 words", "8 to 9 words"} <= names
    assert all(one.captions >= 20 for one in found)
    assert all(one.rates["any"].low <= one.rates["any"].value <= one.rates["any"].high for one in found)


def test_small_slices_and_the_whole_are_left_out() -> None:
    names = {one.name for one in slices(sliced(), least=60)}
    assert "the references mention boat" not in names
    assert "3 references name the same thing" not in names  # all of them do


def test_a_column_of_numbers_is_cut_into_quarters() -> None:
    found = slices(sliced(), columns={"year": list(range(400))})
    assert [one.captions for one in found if one.kind == "column"] == [100] * 4


def test_chance_alone_finds_hardly_any_slice() -> None:
    generator = np.random.default_rng(0)
    wrong = 0
    for _ in range(20):
        findings = [
            finding(n, "s", ["repetition"] if generator.random() < 0.3 else [], noun_support=float(generator.random()),
                    concepts=tuple(f"c{k}" for k in generator.choice(20, 3, replace=False)), size=9)
            for n in range(200)
        ]  # fmt: skip
        wrong += any(one.worst for one in slices(findings))
    assert wrong <= 4


def test_captions_that_metrics_disagree_on_come_first() -> None:
    up, down = np.arange(10.0), np.arange(10.0)
    down[2], down[7] = 9.5, -1.0
    found = disagreements({"a": up, "b": down}, "a", "b", most=2)
    assert {one.row for one in found} == {2, 7}
    high = next(one for one in found if one.row == 2)
    assert (high.apart < 0, high.higher, high.lowest) == (True, "b", "a")
    lower = disagreements({"a": up, "b": -down}, "a", "b", lower=["b"], most=2)
    assert [one.row for one in lower] == [one.row for one in found]


def test_groups_are_compared_by_their_mean_place() -> None:
    scores = {"a": np.array([0.0, 1.0, 2.0]), "b": np.array([0.0, 1.0, 2.0]), "c": np.array([2.0, 1.0, 0.0])}
    found = disagreements(scores, ["a", "b"], ["c"], most=1)
    assert abs(found[0].apart) == 1.0
    with pytest.raises(InvalidInput, match="no scores of 'x'"):
        disagreements(scores, "a", "x")
    assert disagreements({"a": np.array([1.0, np.nan]), "b": np.array([1.0, 2.0])}, "a", "b") == []


def test_a_sentence_says_what_is_wrong() -> None:
    assert because(finding(1, "s", ["repetition"])) == "repetition is shown."
    assert "no error" in because(finding(1, "s"))


def test_words_used_more_and_less_than_people() -> None:
    ours, theirs = (
        Counter({"a": 500, "frisbee": 40, "dog": 60}),
        Counter({"a": 500, "frisbee": 2, "dog": 60, "cur": 30}),
    )
    found = {one.word: one for one in odds(ours, theirs)}
    assert found["frisbee"].z > 3
    assert found["cur"].z < -3
    assert abs(found["dog"].z) < 1
    assert found["frisbee"].captioner == pytest.approx(1000 * 40 / 600)
    # Which side comes first changes the sign only.
    turned = {one.word: one.z for one in odds(theirs, ours)}
    assert all(turned[word] == pytest.approx(-one.z) for word, one in found.items())


def test_wording_counts_captions_words_and_templates() -> None:
    items = [CaptionItem(str(n), "a dog on a beach", ("a brown dog runs", "some dog"), "m2") for n in range(3)]
    items += [
        CaptionItem("9", "a cat on a sofa", ("a cat sleeps", "some cat"), "m2"),
        CaptionItem("9", "x", (), "other"),
    ]
    found = wording(items, "m2")
    assert (found.captions, found.distinct, found.vocabulary, found.words) == (4, 2, 6, 20)
    assert (found.people_captions, found.people_distinct) == (8, 4)
    assert found.repeated == (("a dog on a beach", 3),)
    assert (found.templates[0].pattern, found.templates[0].captions) == ("a … on a …", 4)
    assert template(["a", "man", "riding", "a", "red", "wave"]) == "a … riding a …"
    assert (found.length, found.people_length) == (5.0, 2.875)  # 3 x (4 + 2) and 3 + 2 words in 8 captions
