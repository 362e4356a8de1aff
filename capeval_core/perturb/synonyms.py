"""Synonyms: content words replaced by others of the same sense, part of speech and inflection (Table 2's second row).

Strength 1 changes a third of the words that can be changed, 2 two thirds, 3 all of them. What is made is parsed again
(`misread`): a word that becomes another part of speech in its place is refused, and another one is tried.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from capeval_core.perturb import thesaurus
from capeval_core.perturb.caption import Caption, Word, replace
from capeval_core.perturb.inflect import inflect
from capeval_core.perturb.variant import CannotMake, Draft
from capeval_core.resources.vectors import Array
from capeval_core.text.parse import Parse

_PARTS = {"NN": "N", "NNS": "N", "VB": "V", "VBZ": "V", "VBP": "V", "VBG": "V", "VBD": "V", "VBN": "V", "JJ": "J",
          "RB": "R"}  # fmt: skip
_AGES = frozenset(("young", "little", "old", "elderly", "older", "small"))
_DEGREES = frozenset(("very", "too", "so", "really", "quite", "more", "most", "extremely"))
_ONLY_BEFORE = {"next": "to"}  # adjacent to; but the next day
NO_SYNONYM = "no word of the caption has a common synonym of the same sense"
MISREAD = "every common synonym is read as another part of speech in its place"
_CONTENT = ("NN", "VB", "JJ")
_COPULAR = frozenset(("look", "appear", "seem", "feel"))  # `looks like` and `looks happy` are not looking


@dataclass(frozen=True, slots=True)
class _Choice:
    """Neighbouring words and what may stand in their place, one word for each."""

    first: int
    options: tuple[tuple[str, ...], ...]


Place = tuple[int, str]  # a position and the word put there


def synonyms(caption: Caption, strength: int, rng: random.Random, refused: frozenset[Place] = frozenset()) -> Draft:
    """`refused`: words that turned out to be read as another part of speech in their place."""
    choices = _choices(caption, refused)
    if not choices:
        raise CannotMake(MISREAD if refused else NO_SYNONYM)
    wanted = max(1, round(len(choices) * strength / 3))
    new: dict[int, str] = {}
    for choice in sorted(rng.sample(choices, wanted), key=lambda found: found.first):
        # The first options are the most common: each is taken twice as often as the next.
        options = [option for option in choice.options if not {*option} & {*new.values()}] or [*choice.options]
        option = rng.choices(options, [0.5**place for place in range(len(options))])[0]
        new |= {choice.first + step: word for step, word in enumerate(option)}
    new = {place: word for place, word in new.items() if word != caption.words[place].token}
    changes = [f"{caption.words[place].token} -> {word}" for place, word in sorted(new.items())]
    return replace(caption, new, ", ".join(changes))


def misread(caption: Caption, parses: Sequence[Parse]) -> frozenset[Place] | None:
    """New words that the parser takes for another part of speech than the old; None if it does not find them again."""
    found = [(token, tag) for parse in parses for token, tag in zip(parse.words, parse.tags, strict=True)]
    if len(found) != len(caption.words):
        return None
    pairs = enumerate(zip(caption.words, found, strict=True))
    return frozenset(
        (place, token) for place, (old, (token, tag)) in pairs if token != old.token and tag[:2] != old.tag[:2]
    )


def _choices(caption: Caption, refused: frozenset[Place]) -> list[_Choice]:
    """Where no word has a synonym, the noun behind another noun may be changed alone: a city street -> a city road."""
    for loose in (False, True):
        found = [_allowed(choice, refused) for choice in _all_choices(caption, loose)]
        if kept := [choice for choice in found if choice.options]:
            return kept
    return []


def _allowed(choice: _Choice, refused: frozenset[Place]) -> _Choice:
    fine = (option for option in choice.options if not refused & {*enumerate(option, choice.first)})
    return _Choice(choice.first, tuple(fine))


def _all_choices(caption: Caption, loose: bool) -> Iterator[_Choice]:
    used, context = set(caption.tokens), _context(caption)
    place = 0
    while place < len(caption.words):
        pair = _pair(caption, place, used)
        if pair is None:
            yield _Choice(place, tuple((option,) for option in _single(caption, place, context, used)))
        elif pair.options or not loose:
            yield pair
        elif not thesaurus.is_entry(caption.words[place].token, caption.words[place + 1].lemma):
            yield _Choice(place + 1, tuple((option,) for option in _single(caption, place + 1, context, used)))
        place += 1 if pair is None else 2


def _pair(caption: Caption, place: int, used: set[str]) -> _Choice | None:
    """A noun and the noun that goes with it are changed together or not at all: life jacket, hot dog."""
    if place + 1 >= len(caption.words):
        return None
    word, head = caption.words[place], caption.words[place + 1]
    if head.tag not in ("NN", "NNS") or word.tag not in ("NN", "NNS", "JJ", "VBG"):
        return None
    if word.tag == "VBG" and word.relation not in ("compound", "amod"):  # playing field hockey
        return None
    if word.relation != "compound" and not thesaurus.is_entry(word.token, head.lemma):
        return None
    if word.tag == "JJ" and word.token in _AGES:  # WordNet lists `young man`, which is no more than a young man
        return None
    texts = [text.split() for text in thesaurus.paired(word.token, head.lemma)]
    options = [(first, inflect(second, head.tag)) for first, second in texts]
    return _Choice(place, tuple(option for option in options if not {*option} - {word.token, head.token} & used))


def _single(caption: Caption, place: int, context: Array, used: set[str]) -> list[str]:
    word = caption.words[place]
    part = _PARTS.get(word.tag)
    if part is None or word.relation in ("aux", "auxpass", "cop", "compound", "case", "mark") or len(word.lemma) < 2:
        return []
    if part == "V" and not _plain_verb(caption, place):
        return []
    after = caption.words[place + 1].token if place + 1 < len(caption.words) else ""
    if _ONLY_BEFORE.get(word.token, after) != after:
        return []
    context = _without(context, word)
    if part == "J" and place and caption.words[place - 1].token in _DEGREES:  # very tall, but not very towering
        return []
    beside = caption.spellings
    if word.tag == "NNS" and thesaurus.is_reviewed(word.token, part):
        found = thesaurus.mates(word.token, part, context=context, beside=beside)
        return [mate for mate in found if mate not in used]
    long = [other for other in used if len(other) > 3 and other != word.token]
    known = thesaurus.mates(
        word.lemma, part, has_object=_has_object(caption, place), context=context, beside=beside
    )  # fmt: skip
    # Not the shore of a seashore, nor an instructor who instructs.
    near = [mate for mate in known if not any(mate.endswith(other) or mate[:6] == other[:6] for other in long)]
    lemmas = [mate for mate in near if mate not in used]
    if not thesaurus.is_reviewed(word.lemma, part):
        lemmas = _by_sense(lemmas, context)
    # A tag the parser got wrong shows here: the word's own form must come out.
    if word.tag != "NN" and inflect(word.lemma, word.tag) != word.token and part != "V":
        return [lemma for lemma in lemmas if word.lemma == word.token]
    return [form for lemma in lemmas if (form := inflect(lemma, word.tag)) not in used]


def _has_object(caption: Caption, place: int) -> bool:
    """The parser's object, or whatever looks like one: it stands right behind."""
    after = caption.words[place + 1].tag if place + 1 < len(caption.words) else ""
    named = any(caption.words[child].relation == "dobj" for child in caption.children[place])
    return named or after in ("DT", "PRP$", "NN", "NNS", "CD", "PRP")


def _plain_verb(caption: Caption, place: int) -> bool:
    """No particle (put on, look up), no second object, and no sense that only the next word gives."""
    word = caption.words[place]
    if any(caption.words[child].relation in ("compound:prt", "iobj") for child in caption.children[place]):
        return False
    if word.token == word.lemma and word.tag in ("VBD", "VBN"):  # dogs run: the parser takes it for a past form
        return False
    if any(caption.words[child].token.endswith(("self", "selves")) for child in caption.children[place]):
        return False
    if word.lemma in _COPULAR and place and caption.words[place - 1].tag == "JJ":  # a nice looking bike
        return False
    after = caption.words[place + 1] if place + 1 < len(caption.words) else None
    if word.lemma == "work" and after is not None and after.token in ("on", "with", "at"):  # not laboring on a laptop
        return False
    if after is None or word.lemma not in _COPULAR:
        return after is None or after.tag != "RP"
    return after.token not in ("like", "as", "out", "for", "on") and after.tag not in ("JJ", "VBG", "VBN", "RP")


def _context(caption: Caption) -> Array:
    """The content words' directions, added up."""
    return thesaurus.added(word.lemma for word in caption.words if word.tag[:2] in _CONTENT)


def _without(context: Array, word: Word) -> Array:
    """What the other words say: a word speaks for all of its senses."""
    return context - thesaurus.added([word.lemma]) if word.tag[:2] in _CONTENT else context


def _by_sense(lemmas: list[str], context: Array) -> list[str]:
    """Of several senses, the one whose words are most at home in this sentence goes first."""

    def fit(lemma: str) -> float:
        row = thesaurus.vector(lemma)
        return 0.0 if row is None else -float(row @ context)

    return sorted(lemmas, key=fit)
