"""Captions to try sentences on: real ones, and what is left of them when words are shuffled, doubled, lost or odd."""

from __future__ import annotations

import random
from dataclasses import replace

from capeval_core import CaptionItem
from tests.cases import golden
from tests.test_laws import ODD

STRANGE = ("", "?!", "\U0001f436", "qqzzx", "3", "t-shirt", "it's", "DOG", "一只狗", "the", "life-jacket", "d" * 60)


def real() -> list[CaptionItem]:
    found = [*golden("coco")["cases"], *golden("meteor")["cases"]]
    return [CaptionItem(str(n), one["candidate"], tuple(one["references"])) for n, one in enumerate(found)]


def odd() -> list[CaptionItem]:
    return [item for name, item in ODD.items() if name not in ("half a character", "right to left", "long")]


def random_items(count: int, seed: int = 1) -> list[CaptionItem]:
    chance, known = random.Random(seed), real()
    pool = [text for item in known for text in (item.candidate, *item.references)]
    return [_random_item(chance, known, pool) for _ in range(count)]


def random_pairs(count: int, seed: int = 3) -> list[tuple[CaptionItem, CaptionItem]]:
    """Two candidates of one image."""
    chance = random.Random(seed)
    pool = [text for item in real() for text in (item.candidate, *item.references)]
    return [
        (one, replace(one, candidate=_changed(chance, chance.choice([one.candidate, *one.references]), pool)))
        for one in random_items(count, seed)
    ]


def _random_item(chance: random.Random, known: list[CaptionItem], pool: list[str]) -> CaptionItem:
    base = chance.choice(known)
    references = tuple(
        _changed(chance, text, pool) if chance.random() < 0.2 else text
        for text in chance.choice([base.references, tuple(chance.sample(pool, chance.randint(1, 6)))])
    )
    start = chance.choice([base.candidate, *references, chance.choice(pool)])
    return CaptionItem("random", _changed(chance, start, pool), references)


def _changed(chance: random.Random, text: str, pool: list[str]) -> str:
    words = text.split()[:24]
    for _ in range(chance.randint(0, 3)):
        match chance.randrange(6):
            case 0:
                chance.shuffle(words)
            case 1 if words:
                words += chance.choices(words, k=chance.randint(1, 3))
            case 2 if words:
                del words[chance.randrange(len(words))]
            case 3:
                words.insert(chance.randint(0, len(words)), chance.choice(STRANGE))
            case 4:
                words += chance.choice(pool).split()[:8]
            case _:
                words = words[: chance.randint(0, 5)]
    return " ".join(words)
