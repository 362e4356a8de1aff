"""Inflection, the reviewed synonyms, wider words, and captions as text with words in it."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from capeval_core.perturb import thesaurus
from capeval_core.perturb.caption import article_for, read
from capeval_core.perturb.chunks import person, scene
from capeval_core.perturb.hypernyms import hypernyms
from capeval_core.perturb.inflect import inflect
from capeval_core.resources import wordnet
from capeval_core.shared import Shared


@pytest.mark.parametrize(
    ("lemma", "tag", "form"),
    [
        ("vest", "NNS", "vests"), ("lady", "NNS", "ladies"), ("bench", "NNS", "benches"), ("man", "NNS", "men"),
        ("gentleman", "NNS", "gentlemen"), ("toy", "NNS", "toys"), ("folks", "NNS", "folks"), ("box", "NNS", "boxes"),
        ("ride", "VBG", "riding"), ("run", "VBG", "running"), ("lie", "VBG", "lying"), ("ski", "VBG", "skiing"),
        ("chat", "VBG", "chatting"), ("eat", "VBG", "eating"), ("see", "VBG", "seeing"), ("begin", "VBG", "beginning"),
        ("row", "VBG", "rowing"), ("carry", "VBZ", "carries"), ("toss", "VBZ", "tosses"), ("play", "VBZ", "plays"),
        ("throw", "VBD", "threw"), ("throw", "VBN", "thrown"), ("grip", "VBD", "gripped"), ("hurry", "VBD", "hurried"),
        ("clothe", "VBN", "clothed"), ("tiny", "JJR", "tinier"), ("big", "JJS", "biggest"), ("large", "JJR", "larger"),
        ("be", "VBZ", "is"), ("be", "VBP", "are"), ("jump", "VBP", "jump"), ("dog", "NN", "dog"),
    ],
)  # fmt: skip
def test_inflection(lemma: str, tag: str, form: str) -> None:
    assert inflect(lemma, tag) == form


def around(numbers: Iterable[int]) -> set[int]:
    return {near for number in numbers for near in wordnet.related(number)}


def test_reviewed_nouns_and_verbs_are_near_each_other() -> None:
    """At most three steps apart in METEOR's WordNet, or near in vector space."""
    far = []
    for (part, lemma), mates in thesaurus.reviewed().items():
        for mate in (mate.rstrip("+~") for mate in mates if part in "NV"):
            one, other = wordnet.synsets(lemma), wordnet.synsets(mate)
            by_one, by_other = one | around(one), other | around(other)
            linked = by_one & by_other or around(by_one) & by_other or by_one & around(by_other)
            if not linked and thesaurus.similarity(lemma, mate) < 0.4:
                far.append((lemma, mate))
    assert not far


def test_reviewed_words_are_known_words() -> None:
    mates = {mate.rstrip("+~") for mates in thesaurus.reviewed().values() for mate in mates}
    assert not {mate for mate in mates if not thesaurus.vectors().known(mate)}


def test_other_words_come_from_their_synsets() -> None:
    assert thesaurus.mates("physicist", "N") == ()
    assert thesaurus.mates("graveyard", "N") == ("cemetery",)
    assert thesaurus.mates("abandoned", "J") == ("deserted",)
    assert ("N", "graveyard") not in thesaurus.reviewed()


@pytest.mark.parametrize(
    ("sentence", "mates"),
    [("friend drink beer night", ("pub", "tavern")), ("child climb playground swing monkey", ())],
)
def test_the_sentence_chooses_the_sense(sentence: str, mates: tuple[str, ...]) -> None:
    assert thesaurus.mates("bar", "N", context=thesaurus.added(sentence.split())) == mates
    assert thesaurus.mates("bar", "N") == ("pub", "tavern")


def test_two_words_for_two() -> None:
    assert thesaurus.paired("life", "jacket") == ("life vest",)
    assert thesaurus.paired("christmas", "tree") == ()
    assert thesaurus.paired("hot", "dog") == ()


def test_wider_words() -> None:
    assert hypernyms("schnauzer")[0] == "dog"
    assert "animal" in hypernyms("schnauzer")
    assert hypernyms("canoe") == ("boat", "vehicle")
    assert hypernyms("front") == ()


@pytest.mark.parametrize(("word", "article"), [("hour", "an"), ("uniform", "a"), ("umbrella", "an"), ("one", "a")])
def test_articles(word: str, article: str) -> None:
    assert article_for(word) == article


@pytest.mark.parametrize(
    ("text", "who", "where"),
    [
        ("A group of young children sit in a circle on the floor.", "a group of young children", "the floor"),
        ("An old man and a woman walk down a snowy street.", "an old man and a woman", "a snowy street"),
        ("Two skateboarders at the skate park.", "two skateboarders", "the skate park"),
        ("A red truck is parked near a lake.", "", "a lake"),
    ],
)
def test_chunks(text: str, who: str, where: str) -> None:
    (parses,) = Shared().parses([text])
    caption = read(text, parses)
    found = person(caption), scene(caption)
    assert [chunk.text if chunk else "" for chunk in found] == [who, where]


def test_words_are_found_in_the_text() -> None:
    text = 'The Smiths\' dog, "Rex", is on a T-shirt.'
    (parses,) = Shared().parses([text])
    caption = read(text, parses)
    assert caption.text == text
    assert [word.text for word in caption.words] == [text[word.start : word.end] for word in caption.words]
    assert [word.text.lower() for word in caption.words] == caption.tokens
