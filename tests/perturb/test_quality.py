"""The promises of issue 7, counted on 200 captions of Flickr30k's validation images."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from capeval_core import CaptionItem
from capeval_core.perturb import KINDS, Variant, Variants, perturb
from capeval_core.perturb import caption as captions
from capeval_core.perturb.chunks import Chunk, person, scene
from capeval_core.shared import Shared
from capeval_core.text import ptb
from tests.cases import needs_shared, rows

pytestmark = needs_shared
VALIDATION = "flickr30k/flickr30k_val.jsonl.gz"


@cache
def items() -> tuple[CaptionItem, ...]:
    found = list(rows(VALIDATION))
    return tuple(CaptionItem(r["image_id"], r["captions"][0], tuple(r["captions"][1:])) for r in found[:200])


@cache
def shared() -> Shared:
    return Shared()


@cache
def everything() -> Variants:
    return perturb(items(), strength=2, seed=7, corpus=items(), shared=shared())


def of(*kinds: str) -> list[tuple[CaptionItem, Variant]]:
    return [(items()[variant.item], variant) for variant in everything() if variant.kind in kinds]


def words(text: str) -> list[str]:
    return ptb.tokenize(text).split(" ")


def family(name: str) -> list[str]:
    return [kind.key for kind in KINDS.values() if kind.family == name]


def tags(text: str) -> list[str]:
    (parses,) = shared().parses([text])
    return [tag for parse in parses for tag in parse.tags]


def test_the_rate_at_which_each_kind_can_be_made() -> None:
    made = Counter(variant.kind for variant in everything())
    print(*(f"{kind} {made[kind] / 2:.1f} %" for kind in KINDS), sep="\n")
    # What would not be good English is refused (docs/perturbations.md), so these can be made of few captions.
    least = {"reference_phrase": 10, "fronted": 15, "swapped_clauses": 8, "swapped_roles": 8, "wrong_colour": 40,
             "wrong_count": 30, "dropped_object": 50}  # fmt: skip
    scenes = dict.fromkeys(("replace_scene", "share_scene", "just_scene"), 25)
    persons = dict.fromkeys(("replace_person", "share_person", "just_person"), 80)
    for kind in KINDS:
        assert made[kind] / 2 >= {**scenes, **persons, **least}.get(kind, 75), kind
        assert made[kind] + sum(missed == kind for _, missed in everything().missing) == len(items())


def test_none_is_its_input() -> None:
    for item, variant in of(*KINDS):
        assert words(variant.text) != words(item.candidate), variant


def keeps(item: CaptionItem, variant: Variant) -> bool:
    """As long as before, at least one word is new, and the parser gives each new word the old one's part of speech."""
    old, new = words(item.candidate), words(variant.text)
    if len(old) != len(new) or old == new:
        return False
    pairs = zip(old, new, tags(item.candidate), tags(variant.text), strict=True)
    return all(one[:2] == other[:2] for before, after, one, other in pairs if before != after)


def test_synonyms_keep_length_and_part_of_speech() -> None:
    found = of("synonyms")
    assert all(keeps(item, variant) for item, variant in found)
    assert len(found) >= 0.95 * len(items())


@pytest.mark.parametrize("strength", [1, 3])
def test_synonyms_of_captions_nobody_looked_at(strength: int) -> None:
    """The last caption of 200 other images: the word list was written with training captions at hand, not these."""
    others = [CaptionItem(r["image_id"], r["captions"][4]) for r in list(rows(VALIDATION))[200:400]]
    found = perturb(others, ["synonyms"], strength=strength, shared=shared())
    assert all(keeps(others[variant.item], variant) for variant in found)
    assert len(found) >= 0.9 * len(others)


def test_redundancy_only_adds() -> None:
    for item, variant in of(*family("redundancy")):
        old, new = words(item.candidate), words(variant.text)
        assert new[: len(old)] == old, variant
        assert len(new) > len(old)


def test_order_keeps_the_words() -> None:
    for item, variant in of(*family("order")):
        assert sorted(words(variant.text)) == sorted(words(item.candidate)), variant


def chunk(item: CaptionItem, kind: str) -> tuple[captions.Caption, Chunk]:
    (parses,) = shared().parses([item.candidate])
    caption = captions.read(item.candidate, parses)
    found = person(caption) if kind.endswith("person") else scene(caption)
    assert found is not None
    return caption, found


def test_distractors_keep_or_replace_exactly_their_chunk() -> None:
    for item, variant in of(*family("distractors")):
        caption, named = chunk(item, variant.kind)
        tokens, new = caption.tokens, words(variant.text)
        before, inside, after = (
            tokens[: named.places.start],
            [tokens[place] for place in named.places],
            tokens[named.places.stop :],
        )
        if variant.kind.startswith("replace"):
            middle = new[len(before) : len(new) - len(after)]
            assert before + middle + after == new, variant
            assert middle != inside, variant
        elif variant.kind.startswith("just"):
            assert new == inside, variant
        else:
            runs = [new[start : start + len(inside)] for start in range(len(new))]
            assert inside in runs, variant
            assert item.candidate.lower() not in variant.text.lower()
