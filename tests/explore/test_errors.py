"""Every error on captions made for it: found, named, with its words, its evidence and the reference that shows it."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from capeval_core import CaptionItem
from capeval_core.explore.analyse import PEOPLE, analyse, explore, people_items
from capeval_core.explore.findings import CaptionFindings, Error
from capeval_core.explore.kinds import KINDS
from capeval_core.io.writers import plain
from capeval_core.shared import Shared

DOG = ("A brown dog runs on the beach.", "A dog is running along the beach.", "A brown dog runs on sand by the sea.")
MEN = ("Two men sit on a wooden bench.", "Two men are sitting on a bench.", "Two guys sit on an old bench.")
WOMAN = ("A woman in a red shirt rides a horse.", "A woman rides a horse.", "The woman in red is riding a horse.")
# kind, candidate, references, the words of the error, a part of the evidence
CASES = (
    ("invented_object", "A brown dog runs on the beach with a piano.", DOG, "piano", 'mentions "piano"'),
    ("missed_object", "A dog is running.", DOG, "beach", 'references mention "beach"'),
    ("wrong_colour", "A white dog runs on the beach.", DOG, "white dog", '"brown dog"; none says white'),
    ("wrong_colour", "A woman in a green shirt rides a horse.", WOMAN, "green shirt", '"red shirt"'),
    ("wrong_attribute", "Two men sit on a metal bench.", MEN, "metal bench", '"wooden bench"; none says metal'),
    ("wrong_count", "Four men sit on a wooden bench.", MEN, "Four men", '"Two men"'),
    ("wrong_action", "Two men stand on a bench.", MEN, "stand", '"sit"'),
    ("swapped_roles", "A horse rides a woman.", WOMAN, "horse rides woman", "the reverse"),
    ("wrong_person", "A man rides a horse.", WOMAN, "man", 'say "woman"; none says man'),
    ("wrong_person", "A child rides a horse.", WOMAN, "child", 'say "woman"; none says child'),
    ("repetition", "A dog runs on the beach on the beach.", DOG, "on the beach", '"on the beach" is said again'),
    ("repetition", "A dog and a dog", DOG, "a dog", "is said again"),
    ("broken_ending", "A brown dog runs on the", DOG, "the", 'ends with "the"'),
    ("broken_ending", "A dog running with a red", DOG, "red", 'ends with "red"'),
)
FINE = (
    ("A brown dog is running on the beach.", DOG),
    ("A tan puppy runs at the seaside.", DOG),
    ("A couple of men are seated on a bench.", MEN),
    ("A lady in red on a horse.", WOMAN),
    ("A dog looks on.", DOG),
    ("A man in a red hat and a man in a blue hat sit on a bench.", MEN),
    ("A bench for two men to sit on", MEN),
)


@pytest.fixture(scope="module")
def shared() -> Shared:
    return Shared()


@pytest.fixture(scope="module")
def found(shared: Shared) -> list[CaptionFindings]:
    return analyse([CaptionItem(str(n), case[1], case[2]) for n, case in enumerate(CASES)], shared=shared)


@pytest.fixture(scope="module")
def fine(shared: Shared) -> list[CaptionFindings]:
    return analyse([CaptionItem(str(n), *case) for n, case in enumerate(FINE)], shared=shared)


@pytest.mark.parametrize("number", range(len(CASES)), ids=[f"{case[0]}: {case[1]}" for case in CASES])
def test_an_error_is_found_and_named(number: int, found: list[CaptionFindings]) -> None:
    kind, candidate, references, words, evidence = CASES[number]
    errors = [error for error in found[number].errors if error.kind == kind]
    assert [error.words for error in errors] == [words], found[number].errors
    assert evidence in errors[0].evidence
    assert 0 < errors[0].strength <= 1
    marked = " ".join(candidate[start:end] for start, end in errors[0].spans)
    assert marked == ("" if kind == "missed_object" else words)
    if errors[0].reference is not None:
        assert errors[0].reference < len(references)


@pytest.mark.parametrize("number", range(len(FINE)), ids=[case[0] for case in FINE])
def test_another_wording_is_no_error_of_fact_or_form(number: int, fine: list[CaptionFindings]) -> None:
    about = {
        "wrong_colour",
        "wrong_count",
        "wrong_action",
        "swapped_roles",
        "wrong_person",
        "repetition",
        "broken_ending",
    }
    assert not fine[number].kinds & about, fine[number].errors


def test_support_is_high_for_what_people_say_and_low_for_what_nobody_says(found: list[CaptionFindings]) -> None:
    values = {one.word: one for one in found[0].support}
    assert values["dog"].value > 0.9
    assert values["piano"].value < 0.4
    assert (values["dog"].closest, values["dog"].counted, values["runs"].counted) == ("dog", True, False)
    assert all(0 <= one.value <= 1 for finding in found for one in finding.support)
    nouns = [one.value for one in found[0].support if one.counted]
    assert found[0].noun_support == pytest.approx(sum(nouns) / len(nouns), abs=1e-4)


def test_generic_nouns_do_not_count(shared: Shared) -> None:
    (one,) = analyse([CaptionItem("1", "A picture of a group on top of something.", DOG)], shared=shared)
    assert one.noun_support is None
    assert [word.word for word in one.support] == ["picture", "group", "top", "something"]


def test_lengths_far_from_peoples_are_named(shared: Shared) -> None:
    long = " ".join([*DOG[0].split(), "and", *MEN[0].split(), "while", *WOMAN[0].split()])
    short, wide = analyse([CaptionItem("1", "A dog.", DOG), CaptionItem("2", long, DOG)], shared=shared)
    assert {"too_short", "too_long"} & short.kinds == {"too_short"}
    assert {"too_short", "too_long"} & wide.kinds == {"too_long"}


def test_the_same_caption_for_many_images_is_generic(shared: Shared) -> None:
    items = [CaptionItem(str(n), "A dog.", (f"A dog number {n}.",), "m2") for n in range(4)]
    items += [CaptionItem(str(n), f"Dog number {n}.", ("A dog.",), "other") for n in range(4)]
    found = analyse(items, shared=shared)
    assert [("generic" in one.kinds) for one in found] == [True] * 4 + [False] * 4
    (error,) = [error for error in found[0].errors if error.kind == "generic"]
    assert error.evidence == "4 of 4 images have this caption."


def test_people_are_held_against_each_other() -> None:
    items = [
        CaptionItem("1", "x", DOG, "m2"),
        CaptionItem("1", "y", DOG, "other"),
        CaptionItem("2", "z", MEN[:1], "m2"),
    ]
    found = people_items(items)
    assert [(one.image_id, one.system, one.candidate) for one in found] == [("1", PEOPLE, text) for text in DOG]
    assert found[1].references == (DOG[0], DOG[2])


def test_findings_stand_in_input_order_and_do_not_depend_on_company(shared: Shared) -> None:
    items = [CaptionItem(str(9 - n), case[1], case[2], f"s{n % 2}") for n, case in enumerate(CASES[:6])]
    together = explore([*items, *items], shared=shared)
    assert [one.candidate for one in together.findings] == [item.candidate for item in (*items, *items)]
    assert together.findings[:6] == together.findings[6:]
    for item, one in zip(items, together.findings, strict=False):
        (alone,) = analyse([item], shared=shared)
        assert (alone.errors, alone.missed) == (one.errors, one.missed)
    assert {one.system for one in together.people} == {PEOPLE}


ODD = ("", "   ", "....", "🦄", "dog " * 200, "a\u0301 ﬁ ß \ud83d", "1 2 3", "<b>dog</b>", "a " * 700)


def test_odd_captions_are_judged_too(shared: Shared) -> None:
    items = [CaptionItem(str(n), text, references) for n, text in enumerate(ODD) for references in ((), DOG, ODD)]
    found = analyse(items, shared=shared)
    assert len(found) == len(items)
    for one in found:
        assert all(0 <= start < end <= len(one.text) for error in one.errors for start, end in error.spans)
        json.dumps(plain(asdict(one)))
    assert all(one.note for one, item in zip(found, items, strict=True) if not item.references)


def test_a_low_spurts_is_generic(shared: Shared) -> None:
    import numpy as np

    items = [CaptionItem(str(n), f"dog {n} runs", (), "m2") for n in range(30)]
    spurts = np.full(30, 0.5)
    spurts[:15] += 0.01
    spurts[7] = 0.1
    found = analyse(items, spurts=spurts, shared=shared)
    assert [row for row, one in enumerate(found) if "generic" in one.kinds] == [7]


def test_every_error_is_in_the_table(found: list[CaptionFindings]) -> None:
    assert {case[0] for case in CASES} | {"too_short", "too_long", "generic"} == KINDS.keys()
    assert all(isinstance(error, Error) and error.kind in KINDS for one in found for error in one.errors)


def test_a_row_has_the_fields_of_the_command(found: list[CaptionFindings]) -> None:
    row = found[0].row()
    assert list(row) == ["image_id", "system", "candidate", "support", "noun_support", "errors"]
    assert list(row["errors"][0]) == ["kind", "words", "strength", "evidence"]
    assert row["support"][0] == ["brown", found[0].support[0].value]
