"""The laws of the perturbations, on small captions of our own."""

from __future__ import annotations

from typing import Any

import pytest

from capeval_core import CaptionItem, InvalidInput
from capeval_core.perturb import FAMILIES, KINDS, Variant, bank, perturb
from capeval_core.perturb.caption import read
from capeval_core.perturb.lab import MAKERS
from capeval_core.perturb.synonyms import misread
from capeval_core.shared import Shared
from capeval_core.text import ptb

TABLE_2 = CaptionItem(
    "canoe",
    "a man wearing a life jacket is in a small boat on a lake",
    ("a man wearing a red life jacket is sitting in a canoe on a lake",),
)
ITEMS = [
    TABLE_2,
    CaptionItem("dogs", "Two brown dogs are chasing a red ball in a park.", ("Dogs run after a ball on the grass.",)),
    CaptionItem(
        "walk",
        "A woman and a boy are walking with an umbrella while people watch.",
        ("A lady and a child walk along a busy street.", "People on the sidewalk in the rain."),
    ),
]
OTHERS = [
    CaptionItem("bar", "A waitress is serving cola at a busy bar.", ("A young woman carries drinks through a crowd.",)),
    CaptionItem("bath", "A man shaves his beard in a small bathroom.", ("A bald man is looking at a mirror.",)),
    CaptionItem("lake", "Three ducks are swimming on a lake.", ()),
]


def made(item: CaptionItem, kind: str, **given: Any) -> Variant:
    (found,) = perturb(item, [kind], corpus=OTHERS, **given)
    return found


def words(text: str) -> list[str]:
    return ptb.tokenize(text).split(" ")


def test_every_kind_has_a_maker_and_a_family() -> None:
    assert list(MAKERS) == list(KINDS)
    assert {kind.family for kind in KINDS.values()} == set(FAMILIES)
    assert all(kind.label and kind.description for kind in KINDS.values())


def test_the_papers_synonyms() -> None:
    texts = {variant.text for variant in perturb(TABLE_2, ["synonyms"], variants=30)}
    assert "a guy wearing a life vest is in a small boat on a lake" in texts
    everything = made(TABLE_2, "synonyms", strength=3)
    assert [everything.text[a:b] for a, b in everything.spans] == [
        pair.split(" -> ")[1] for pair in everything.change.split(", ")
    ]


def test_the_papers_word_order() -> None:
    found = made(TABLE_2, "fronted")
    assert found.text == "in a small boat on a lake a man is wearing a life jacket"
    assert found.text[found.spans[0][0] : found.spans[-1][1]] == "in a small boat on a lake"


def test_the_papers_redundancy_only_adds() -> None:
    found = made(TABLE_2, "extra_phrase")
    assert found.text.startswith(TABLE_2.candidate + " ")
    (span,) = found.spans
    assert found.change == f"added: {found.text[slice(*span)]}"


def test_a_reference_says_where() -> None:
    assert made(ITEMS[2], "reference_phrase").text in (
        "A woman and a boy are walking with an umbrella while people watch on the sidewalk.",
        "A woman and a boy are walking with an umbrella while people watch on a busy street.",
    )


@pytest.mark.parametrize(
    ("kind", "item", "text"),
    [
        ("swapped_clauses", 2, "A boy and a woman are walking with an umbrella while people watch."),
        ("swapped_roles", 1, "A red ball is chasing two brown dogs in a park."),
        ("dropped_object", 1, "Two brown dogs are chasing a red ball."),
        ("just_person", 0, "a man"),
        ("just_scene", 0, "a lake"),
        ("just_scene", 1, "A park."),
        ("just_person", 2, "A woman and a boy."),
        ("share_person", 0, "a man shaves his beard in a small bathroom."),
        ("share_scene", 0, "Three ducks are swimming on a lake."),
    ],
)
def test_one_way_to_do_it(kind: str, item: int, text: str) -> None:
    texts = {variant.text.lower() for variant in perturb(ITEMS[item], [kind], variants=9, corpus=OTHERS)}
    assert text.lower() in texts


def test_a_colour_or_count_that_nobody_named() -> None:
    (_, colour, *_), (_, other, *_) = [
        [variant.text for variant in perturb(ITEMS[1], [kind], variants=4)] for kind in ("wrong_colour", "wrong_count")
    ]
    assert colour != other
    for variant in perturb(ITEMS[1], ["wrong_colour"], strength=3, variants=5):
        assert not {"red", "brown"} & set(words(variant.text))
    for variant in perturb(ITEMS[1], ["wrong_count"], variants=3):
        assert "two" not in words(variant.text)


def test_a_wider_word_keeps_its_number() -> None:
    item = CaptionItem("1", "Two schnauzers sleep on a couch.")
    texts = {variant.text for variant in perturb(item, ["hypernym"], variants=9)}
    assert "Two dogs sleep on a couch." in texts


def test_the_article_follows_the_word() -> None:
    texts = {variant.text for variant in perturb(CaptionItem("1", "a baby sleeps"), ["synonyms"], variants=9)}
    assert "an infant sleeps" in texts


def test_a_replacement_is_never_what_a_reference_says() -> None:
    for variant in perturb(ITEMS[2], ["replace_person"], strength=2, variants=20, corpus=OTHERS):
        assert not {"woman", "lady", "boy", "child", "women", "boys"} & set(words(variant.text))


def test_a_group_keeps_its_verb() -> None:
    """A family stand: two toddlers may stand in their place, one mechanic may not."""
    family = CaptionItem("1", "A family stand in front of a bus.")
    for variant in perturb(family, ["replace_person"], strength=2, variants=20, corpus=OTHERS):
        first, _, third, *_ = words(variant.text)
        assert first in ("two", "three", "four", "five", "several", "many") or third == "of", variant.text


def test_another_place_is_not_much_the_same_place() -> None:
    item = CaptionItem("1", "A man walks down a street.")
    corpus = [CaptionItem("2", "A man walks down the road."), CaptionItem("3", "A dog runs down the sidewalk.")]
    texts = {variant.text for variant in perturb(item, ["replace_scene"], strength=2, variants=20, corpus=corpus)}
    assert texts
    assert not {"A man walks down the road.", "A man walks down the sidewalk."} & texts


def test_a_word_that_is_read_otherwise_is_refused() -> None:
    """The parser takes `building` for the noun here, so the boat is changed, not the verb."""
    before, after = "A woodworker constructing a boat.", "A woodworker building a boat."
    old, new, longer = Shared().parses([before, after, "A man sits on a boat."])
    caption = read(before, old)
    assert misread(caption, new) == frozenset([(2, "building")])
    assert misread(caption, longer) is None
    assert misread(caption, old) == frozenset()
    found = perturb(CaptionItem("1", before), ["synonyms"], strength=3, variants=5)
    assert {variant.text for variant in found} == {"A woodworker constructing a vessel."}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("strength", [1, 2, 3])
def test_laws(kind: str, strength: int) -> None:
    found = perturb(ITEMS, [kind], strength=strength, seed=5, variants=3, corpus=OTHERS)
    assert found == perturb(ITEMS, [kind], strength=strength, seed=5, variants=3, corpus=OTHERS)
    assert {variant.item for variant in found} | {item for item, _ in found.missing} == {0, 1, 2}
    for variant in found:
        assert words(variant.text) != words(ITEMS[variant.item].candidate)
        assert variant.change
        assert (variant.strength, variant.seed) == (strength, 5)
        assert all(0 <= start < end <= len(variant.text) for start, end in variant.spans)
        assert variant.text == " ".join(variant.text.split())
    for item in range(3):
        texts = [variant.text for variant in found if variant.item == item]
        assert len(texts) == len(set(texts))
    alone = perturb(ITEMS[1], [kind], strength=strength, seed=5, variants=3, corpus=OTHERS)
    assert [variant.text for variant in alone] == [variant.text for variant in found if variant.item == 1]
    if KINDS[kind].family == "order":
        assert all(sorted(words(v.text)) == sorted(words(ITEMS[v.item].candidate)) for v in found)


@pytest.mark.parametrize(
    "text",
    ["", " . ", "Dog", "🐕", "🐕 on a 🛹!", "a " * 40, 'ﬁsh İstanbul (1 1/2) "quoted" it\'s', "the cat sat. " * 500],
    ids=["empty", "punctuation", "one word", "emoji", "emoji among words", "repeats", "odd letters", "2,000 words"],
)
def test_odd_texts(text: str) -> None:
    found = perturb(CaptionItem("1", text, (text, "")), strength=3, variants=2, corpus=OTHERS)
    assert len({variant.kind for variant in found}) + len(found.missing) == len(KINDS)
    assert all(words(variant.text) != words(text) for variant in found)
    assert all(found.missing.values())


def test_without_words_the_reason_says_so() -> None:
    assert set(perturb(CaptionItem("1", "")).missing.values()) == {"the caption has no words"}


@pytest.mark.parametrize(
    ("caption", "kept"),
    [
        ("A man in a black shirt sings into a microphone.", {"A man sings into a microphone."}),
        ("A boy wearing a red shirt is playing baseball.", {"A boy is playing baseball.",
                                                            "A boy wearing a red shirt is playing."}),
        ("A bus is parked in front of a building.", {"A bus is parked."}),
        ("A bowl filled with fruit.", set()),
        ("A woman places a vase on a table.", set()),
    ],
)  # fmt: skip
def test_a_dropped_object_takes_with_it_what_cannot_stand_alone(caption: str, kept: set[str]) -> None:
    found = perturb(CaptionItem("1", caption), ["dropped_object"], variants=9)
    assert {variant.text for variant in found} == kept
    assert kept or "no thing can be left out" in found.missing[0, "dropped_object"]


@pytest.mark.parametrize("strength", [1, 2, 3])
def test_added_phrases_never_speak_of_one_thing_twice(strength: int) -> None:
    """Two phrases of time contradict each other (right now at that time) or repeat each other."""
    kinds = (bank.OUTDOORS + bank.INDOORS, bank.IN_VIEW, bank.NOW + bank.DAYTIME, bank.SHOWN, bank.SEEMS)
    for variant in perturb(ITEMS, ["extra_phrase"], strength=strength, variants=40):
        added = variant.change.removeprefix("added: ").split(", ")
        of = [next(n for n, kind in enumerate(kinds) if one in {text.lstrip(", ") for text in kind}) for one in added]
        assert len(of) == min(strength, len(of))
        assert of == sorted(set(of)), variant.text


@pytest.mark.parametrize(
    ("kind", "caption"),
    [
        ("wrong_colour", "Two black men and a blond girl talk."),  # nobody's skin, nobody's hair
        ("wrong_colour", "A glass of white wine on a table."),
        ("swapped_roles", "A man has fun with a dog."),
        ("swapped_clauses", "A woman sitting under an umbrella and a man walking the dog."),
        ("fronted", "A woman looks at a clock."),
        ("fronted", "A table topped with bowls."),
        ("hypernym", "Two hot dogs."),
        ("just_scene", "A musician plays on stage."),
        ("just_person", "A passenger train."),
        ("reference_phrase", "A man rides a horse down a street."),
    ],
)
def test_what_would_be_bad_english_is_refused(kind: str, caption: str) -> None:
    found = perturb(CaptionItem("1", caption, ("People on a busy street in the city.",)), [kind], variants=5)
    assert [variant.text for variant in found] == []
    assert found.missing[0, kind]


def test_two_denials_do_not_cancel_each_other() -> None:
    item = CaptionItem("1", "A man is walking with his dog.")
    texts = {variant.text for variant in perturb(item, ["negation"], strength=3, variants=9)}
    assert texts == {"A man is not walking with his dog.", "A man is walking without his dog."}


def test_a_comma_stays_where_its_words_stay_together() -> None:
    item = CaptionItem("1", "A man, wearing a red hat, is standing in front of a church.")
    assert made(item, "fronted").text == "In front of a church a man, wearing a red hat, is standing."
    crowd = CaptionItem("2", "A band plays while a crowd watches.")
    assert made(crowd, "fronted").text == "While a crowd watches, a band plays."


def test_brackets_are_found_in_the_text() -> None:
    text = "A dirt bike (motorcycle) is parked on the grass."
    (parses,) = Shared().parses([text])
    assert read(text, parses).text == text


def test_seeds_differ() -> None:
    texts = {made(TABLE_2, "shuffled", strength=3, seed=seed).text for seed in range(5)}
    assert len(texts) > 1


@pytest.mark.parametrize("given", [{"strength": 0}, {"strength": 4}, {"variants": 0}, {"variants": 1.5}])
def test_bad_numbers(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(given))):
        perturb(TABLE_2, **given)


def test_an_unknown_kind() -> None:
    with pytest.raises(InvalidInput, match="unknown kind of perturbation 'magic'"):
        perturb(TABLE_2, ["magic"])
