"""Synonyms: content words replaced by others of the same sense, part of speech and inflection (Table 2's second row).

Strength 1 changes a third of the words that can be changed, 2 two thirds, 3 all of them.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from capeval_core.perturb import thesaurus
from capeval_core.perturb.caption import Caption, replace
from capeval_core.perturb.inflect import inflect
from capeval_core.perturb.variant import CannotMake, Draft
from capeval_core.resources.vectors import Array

_PARTS = {"NN": "N", "NNS": "N", "VB": "V", "VBZ": "V", "VBP": "V", "VBG": "V", "VBD": "V", "VBN": "V", "JJ": "J"}
_COPULAR = frozenset(("look", "appear", "seem", "feel"))  # `looks like` and `looks happy` are not looking


@dataclass(frozen=True, slots=True)
class _Choice:
    """Neighbouring words and what may stand in their place, one word for each."""

    first: int
    options: tuple[tuple[str, ...], ...]


def synonyms(caption: Caption, strength: int, rng: random.Random) -> Draft:
    choices = _choices(caption)
    if not choices:
        raise CannotMake("no word of the caption has a common synonym of the same sense")
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


def _choices(caption: Caption) -> list[_Choice]:
    found: list[_Choice] = []
    context = _context(caption)
    used = set(caption.tokens)
    place = 0
    while place < len(caption.words):
        pair = _pair(caption, place, used)
        if pair is not None:
            found += [pair] if pair.options else []
            place += 2
            continue
        options = _single(caption, place, context, used)
        if options:
            found.append(_Choice(place, tuple((option,) for option in options)))
        place += 1
    return found


def _pair(caption: Caption, place: int, used: set[str]) -> _Choice | None:
    """A noun and the noun that goes with it are changed together or not at all: life jacket, hot dog."""
    if place + 1 >= len(caption.words):
        return None
    word, head = caption.words[place], caption.words[place + 1]
    if head.tag not in ("NN", "NNS") or word.tag not in ("NN", "NNS", "JJ", "VBG"):
        return None
    if word.relation != "compound" and not thesaurus.is_entry(word.token, head.lemma):
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
    has_object = any(caption.words[child].relation == "dobj" for child in caption.children[place])
    lemmas = [mate for mate in thesaurus.mates(word.lemma, part, has_object=has_object) if mate not in used]
    if (part, word.lemma) not in thesaurus.reviewed():
        lemmas = _by_sense(lemmas, context)
    # A tag the parser got wrong shows here: the word's own form must come out.
    if word.tag != "NN" and inflect(word.lemma, word.tag) != word.token and part != "V":
        return [lemma for lemma in lemmas if word.lemma == word.token]
    return [inflect(lemma, word.tag) for lemma in lemmas]


def _plain_verb(caption: Caption, place: int) -> bool:
    """No particle (put on, look up), and no sense that only the next word gives."""
    word = caption.words[place]
    if any(caption.words[child].relation == "compound:prt" for child in caption.children[place]):
        return False
    if word.token == word.lemma and word.tag in ("VBD", "VBN"):  # dogs run: the parser takes it for a past form
        return False
    if any(caption.words[child].token.endswith(("self", "selves")) for child in caption.children[place]):
        return False
    after = caption.words[place + 1] if place + 1 < len(caption.words) else None
    if after is None or word.lemma not in _COPULAR:
        return after is None or after.tag != "RP"
    return after.token not in ("like", "as", "out", "for") and after.tag not in ("JJ", "VBG", "VBN", "RP")


def _context(caption: Caption) -> Array:
    """The mean direction of the caption's content words."""
    rows = [thesaurus.vector(word.lemma) for word in caption.words if word.tag[:2] in ("NN", "VB", "JJ")]
    known = [row for row in rows if row is not None]
    return np.mean(known, axis=0) if known else np.zeros(thesaurus.vectors().dims)


def _by_sense(lemmas: list[str], context: Array) -> list[str]:
    """Of several senses, the one whose words are most at home in this sentence goes first."""

    def fit(lemma: str) -> float:
        row = thesaurus.vector(lemma)
        return 0.0 if row is None else -float(row @ context)

    return sorted(lemmas, key=fit)
