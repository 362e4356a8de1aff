"""Wider words: schnauzer -> dog -> animal, climbed in WordNet's tree of nouns as METEOR's file has it."""

from __future__ import annotations

from functools import lru_cache

from capeval_core.perturb import thesaurus
from capeval_core.perturb.wordlists import word_set
from capeval_core.resources import wordnet

STEPS = 8
# Words a captioner falls back on. Steps in between (placental, instrumentality) are nobody's words.
_PLAIN = word_set(
    "dog cat bird horse fish insect animal person child vehicle boat ship car truck plane aircraft bicycle "
    "building house room furniture chair table bed seat container bag box bottle cup tool instrument device "
    "machine garment shirt hat shoe coat toy food fruit vegetable drink dessert bread meat cake tree flower "
    "game sport ball weapon road area place worker athlete musician performer player fabric "
    "bear sheep snake monkey computer phone jewelry dish sauce lamp window door fence bridge tower "
    "store restaurant"
)
# Not counted: no `a food`, no `two breads`.
MASS_WORDS = word_set("furniture food bread meat fabric jewelry sport")
_BY_HAND = {
    "computer": "machine", "laptop": "computer", "lunch": "meal", "dinner": "meal", "breakfast": "meal",
    "pasture": "field", "tractor": "vehicle", "desk": "table", "flower": "plant", "elephant": "animal",
    "puppy": "dog", "female": "person", "male": "person", "kitten": "cat", "bathroom": "room",
    "apple": "fruit", "banana": "fruit", "rose": "flower", "tulip": "flower",
    "man": "person", "woman": "person", "boy": "child", "girl": "child", "guy": "person", "lady": "person",
    "toddler": "child", "baby": "child", "infant": "child", "kid": "person", "shirt": "garment",
    "jacket": "garment", "coat": "garment", "hat": "garment", "dress": "garment", "skirt": "garment",
    "sweater": "garment", "bike": "vehicle", "bicycle": "vehicle", "car": "vehicle", "truck": "vehicle",
    "bus": "vehicle", "motorcycle": "vehicle", "street": "road", "sidewalk": "path", "dog": "animal",
    "cat": "animal", "horse": "animal", "cow": "animal", "guitar": "instrument", "kitchen": "room",
    "couch": "seat", "bench": "seat", "field": "area", "surfboard": "board", "skateboard": "board",
    "snowboard": "board",
    "hill": "slope", "cap": "hat", "helmet": "hat", "teenager": "person", "soldier": "person", "player": "person",
    "child": "person", "shop": "building", "store": "building", "house": "building", "church": "building",
    "restaurant": "building", "boat": "vehicle",
}  # fmt: skip
_NOT = word_set(
    "goggles diner balloon adult foreground fairy front back top side bottom group air background people person "
    "hand head face hair arm leg foot day sign light picture photo something water line row end edge pair couple "
    "crowd number middle body part piece scene shutter windshield camera mirror projector clock bagel bun cake cheese "
    "volleyball baseball soccer football hockey basketball tennis frisbee sandwich donut doughnut plate machinery game "
    "stand viewfinder factory porch fence wine beer coffee hay "
    "arrow luggage backpack eggplant sled asian"
)


@lru_cache(maxsize=1 << 13)
def hypernyms(lemma: str) -> tuple[str, ...]:
    """Wider plain words, the nearest first; nothing for words that are plain enough or mean too many things."""
    if lemma in _NOT:
        return ()
    if lemma in _BY_HAND:
        first = _BY_HAND[lemma]
        return (first, *(word for word in hypernyms(first) if word != first and word != lemma))
    best: dict[str, tuple[int, float]] = {}
    senses = [number for number in wordnet.listed(lemma) if wordnet.kind(number) != "other"]
    for number in senses if len(senses) <= 2 else ():
        for word, steps in _climb(number, lemma):
            if steps < best.get(word, (STEPS + 1, 0.0))[0]:
                best[word] = (steps, -thesaurus.similarity(word, lemma))
    known = {word: place for word, place in best.items() if place[1] < -0.3}
    found = sorted(known, key=lambda word: known[word])
    beyond = [_BY_HAND[word] for word in found if word in _BY_HAND]  # the way from dog to animal is long
    return tuple(dict.fromkeys([*found, *beyond]))


def _climb(number: int, lemma: str) -> list[tuple[str, int]]:
    """The file lists what is wider first, so the way up is the first of each synset's neighbours."""
    found = []
    for steps in range(1, STEPS + 1):
        above = wordnet.related(number)
        if not above:
            break
        number = above[0]
        found += [(word, steps) for word in wordnet.words(number) if word in _PLAIN and word != lemma]
    return found
