"""Wrong words: a wrong count, a word too wide, a typo. (Colours, roles and omissions have files of their own.)

Strength is how many places are spoiled, or how many steps wider a word becomes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from capeval_core.perturb import chunks, phrases, thesaurus
from capeval_core.perturb.caption import Caption, replace
from capeval_core.perturb.hypernyms import MASS_WORDS, hypernyms
from capeval_core.perturb.inflect import inflect, plural
from capeval_core.perturb.variant import CannotMake, Draft
from capeval_core.perturb.wordlists import word_set

_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
# Worn once, or only one of it there: nobody says `in two lakes`.
_ONE_OF_IT = word_set(
    "shirt dress suit hat cap jacket coat uniform outfit vest sweater costume top helmet tie robe apron skirt hood "
    "t-shirt tank sweatshirt wetsuit scarf belt tuxedo gown jersey mask wig beard mustache smile face head tail body "
    "lot day night front middle row line way sky distance race match game crowd food event show shower bath nap break "
    "world moon sun horizon ground air hurry circle picture photo photograph background conversation position "
    "back look half pair couple group bunch dozen variety number piece close kind type wave snow grass speech marathon "
    "setting backdrop bed couch sofa chair laptop hill slope lap view pose swing ride "
)
_PAIRED = word_set("both each other third one another either neither twin twins couple pair")


def wrong_count(caption: Caption, references: Sequence[Caption], strength: int, rng: random.Random) -> Draft:
    """Two men -> four men; where nothing is counted, a ball -> two balls (not the subject: its verb would disagree)."""
    said = {word.token for other in (caption, *references) for word in other.words}
    places = [place for place in range(len(caption.words)) if _counts(caption, place)]
    new: dict[int, str] = {}
    for place in rng.sample(places, min(strength, len(places))):
        far = [count for count in _COUNTS[: 2 + 2 * strength] if count not in said]
        new[place] = rng.choice(far or [count for count in _COUNTS if count != caption.words[place].token])
    if not new:
        singles = [place for place in range(len(caption.words)) if _single_thing(caption, place)]
        for head in rng.sample(singles, min(strength, len(singles))):
            new[chunks.noun_phrase(caption, head).start] = rng.choice(_COUNTS[: 1 + strength])
            new[head] = plural(caption.words[head].lemma)
    if not new:
        raise CannotMake("nothing in the caption is counted, or could be")
    return replace(caption, new, _pairs(caption, new))


def _counts(caption: Caption, place: int) -> bool:
    """A number before what it counts, which nothing else in the caption counts too (two men, one of them sitting)."""
    words = caption.words
    if words[place].token not in _COUNTS or place + 1 >= len(words) or words[place + 1].tag == "CD":
        return False
    group = phrases.noun_group(caption, place)
    if group is None or words[group.stop - 1].tag != "NNS" or (place and words[place - 1].tag in ("JJ", "NN")):
        return False
    listed = group.stop < len(words) and not phrases.closely(caption, group.stop)
    return not listed and not set(caption.tokens) & _PAIRED


def _single_thing(caption: Caption, place: int) -> bool:
    """A thing with `a` that more of could be there; nothing after it speaks of it."""
    words, word = caption.words, caption.words[place]
    if word.tag != "NN" or word.relation not in ("dobj", "nmod") or word.text != word.token:
        return False
    phrase = chunks.noun_phrase(caption, place)
    if phrase.start == place or words[phrase.start].token not in ("a", "an") or phrase.start == 0:
        return False
    if any(words[inner].tag == "POS" or words[inner].token in ("single", "lone", "solo") for inner in phrase):
        return False
    if word.lemma in _ONE_OF_IT or word.lemma in phrases.MASS or chunks.names_place(word.lemma):
        return False
    after = words[place + 1] if place + 1 < len(words) else None
    if after and (
        after.tag in ("NN", "NNS", "VBN", "VBZ", "VBP", "WDT", "WP", "POS", "CC", "JJ") or after.token == "of"
    ):
        return False
    return chunks.names_people(word.lemma) or thesaurus.caption_words().get(plural(word.lemma), 0) >= 20


def hypernym(caption: Caption, strength: int, rng: random.Random) -> Draft:
    options = {place: wider for place in range(len(caption.words)) if (wider := _wider(caption, place))}
    if not options:
        raise CannotMake("no noun with a plain wider word")
    new: dict[int, str] = {}
    for place in rng.sample(sorted(options), min(strength, len(options))):
        chosen = options[place][min(strength, len(options[place])) - 1]
        new[place] = inflect(chosen, caption.words[place].tag)
    return replace(caption, new, _pairs(caption, new))


def _wider(caption: Caption, place: int) -> list[str]:
    """Wider words for a noun that stands by itself (not a hot dog, not a baby horse)."""
    words, word = caption.words, caption.words[place]
    if not chunks.is_noun(caption, place) or word.relation == "compound":
        return []
    before = words[place - 1] if place else None
    after = words[place + 1] if place + 1 < len(words) else None
    if after and (after.tag in ("NN", "NNS", "POS") or after.token == "of") and phrases.closely(caption, place + 1):
        return []
    joined = before and (before.tag in ("NN", "NNS", "VBG") or thesaurus.is_entry(before.token, word.lemma))
    if before and joined and before.token not in ("young", "old", "little", "small", "big", "large"):
        return []
    group = chunks.noun_phrase(caption, place)
    counted = word.tag == "NNS" or words[group.start].token in ("a", "an", "one", "another")
    found = hypernyms(word.lemma)
    return [one for one in found if one not in caption.lemmas and not (counted and one in MASS_WORDS)]


def typo(caption: Caption, strength: int, rng: random.Random) -> Draft:
    places = [place for place, word in enumerate(caption.words) if word.token.isalpha() and len(word.token) >= 4]
    if not places:
        raise CannotMake("no word of four letters or more")
    new = {
        place: _misspelled(caption.words[place].token, rng) for place in rng.sample(places, min(strength, len(places)))
    }
    return replace(caption, new, _pairs(caption, new))


def _misspelled(word: str, rng: random.Random) -> str:
    """Two letters swapped, one lost or one doubled, never the first."""
    while True:
        at = rng.randrange(1, len(word) - 1)
        swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        lost, doubled = word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:]
        made = rng.choice((swapped, swapped, lost, doubled))
        if made != word:
            return made


def _pairs(caption: Caption, new: dict[int, str]) -> str:
    return ", ".join(f"{caption.words[place].token} -> {text}" for place, text in sorted(new.items()))
