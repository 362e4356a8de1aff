"""Faults a captioner really makes: wrong colour, wrong count, a word too wide, roles swapped, a denial, a typo.

Strength is how many places are spoiled, or how many steps wider a word becomes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from capeval_core.perturb import chunks
from capeval_core.perturb.caption import Caption, Edit, edit, replace
from capeval_core.perturb.hypernyms import hypernyms
from capeval_core.perturb.inflect import inflect, plural
from capeval_core.perturb.variant import CannotMake, Draft

_COLOURS = ("red", "blue", "green", "yellow", "black", "white", "brown", "orange", "pink", "purple", "gray")
_ALSO_COLOURS = ("grey", "tan", "blond", "blonde", "golden", "silver", "beige", "maroon", "turquoise", "navy")
_ALIKE = ({"gray", "grey", "silver"}, {"brown", "tan", "beige"}, {"red", "maroon", "pink"}, {"yellow", "golden"})
_HAIR = ("black", "brown", "red", "gray", "blond")
_PRONOUNS = ("something", "someone", "somebody", "anything", "one", "nothing")
_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def wrong_colour(caption: Caption, references: Sequence[Caption], strength: int, rng: random.Random) -> Draft:
    places = [place for place, word in enumerate(caption.words) if _is_colour(word.token)]
    if not places:
        raise CannotMake("the caption names no colour")
    named = {word.token for other in (caption, *references) for word in other.words}
    near = set().union(*(family for family in _ALIKE if family & named))
    new = {}
    for place in rng.sample(places, min(strength, len(places))):
        on_hair = any(word.token in ("hair", "haired", "beard") for word in caption.words[place + 1 : place + 3])
        palette = _HAIR if on_hair else _COLOURS
        options = [colour for colour in palette if colour not in named | near] or [
            colour for colour in palette if colour != caption.words[place].token
        ]
        new[place] = rng.choice(options)
    return replace(caption, new, _pairs(caption, new))


def _is_colour(token: str) -> bool:
    return token in _COLOURS or token in _ALSO_COLOURS


def wrong_count(caption: Caption, references: Sequence[Caption], strength: int, rng: random.Random) -> Draft:
    """Two men -> four men; where nothing is counted, a hat -> two hats (not the subject: its verb would not agree)."""
    said = {word.token for other in (caption, *references) for word in other.words}
    places = [place for place, word in enumerate(caption.words) if word.token in _COUNTS]
    new: dict[int, str] = {}
    for place in rng.sample(places, min(strength, len(places))):
        far = [count for count in _COUNTS[: 2 + 2 * strength] if count not in said]
        new[place] = rng.choice(far or [count for count in _COUNTS if count != caption.words[place].token])
    if not new:
        singles = _single_things(caption)
        for head in rng.sample(singles, min(strength, len(singles))):
            new[chunks.noun_phrase(caption, head).start] = rng.choice(_COUNTS[: 1 + strength])
            new[head] = plural(caption.words[head].lemma)
    if not new:
        raise CannotMake("nothing in the caption is counted")
    return replace(caption, new, _pairs(caption, new))


def _single_things(caption: Caption) -> list[int]:
    found = []
    for place, word in enumerate(caption.words):
        start = chunks.noun_phrase(caption, place).start if word.tag == "NN" else place
        if start < place and caption.words[start].token in ("a", "an") and word.relation in ("dobj", "nmod"):
            followed = caption.words[place + 1].token if place + 1 < len(caption.words) else ""
            if followed not in ("of", "'s", "is", "has") and word.lemma not in ("lot", "day", "night", "front"):
                found.append(place)
    return found


def swapped_roles(caption: Caption, strength: int, rng: random.Random) -> Draft:
    """A man rides a horse -> a horse rides a man; the verb agrees with its new subject."""
    options = _roles(caption)
    if not options:
        raise CannotMake("no verb with a subject and an object")
    verb, subject, object_ = rng.choice(options)
    first, second = chunks.chunk(caption, subject), chunks.chunk(caption, object_)
    edits: list[Edit] = [
        (caption.words[first.places.start].start, caption.words[subject].end, second.text),
        (caption.words[second.places.start].start, caption.words[object_].end, first.text),
    ]
    if first.plural != second.plural:
        edits += _agreement(caption, verb, second.plural)
    return edit(caption, edits, f"{first.text} <-> {second.text}")


def _roles(caption: Caption) -> list[tuple[int, int, int]]:
    """Verb, subject, object. In `a man riding a horse` the noun is the verb's subject."""
    found = []
    for verb, word in enumerate(caption.words):
        below = caption.children[verb]
        if not word.tag.startswith("VB"):
            continue
        subjects = [child for child in below if caption.words[child].relation == "nsubj"]
        if word.relation in ("acl", "dep", "amod") and word.tag == "VBG" and 0 <= word.head < verb:
            subjects.append(_actor(caption, word.head))
        objects = [child for child in below if caption.words[child].relation == "dobj" and child > verb]
        for subject in subjects[:1]:
            for object_ in objects[:1]:
                nouns = all(_exchangeable(caption, role) for role in (subject, object_))
                if nouns and subject < verb and caption.words[subject].lemma != caption.words[object_].lemma:
                    found.append((verb, subject, object_))
    return found


def _actor(caption: Caption, noun: int) -> int:
    """Who does it in `a man in a dark shirt playing a guitar`: the parser says the shirt."""
    people = chunks.person(caption)
    nearer = people is None or people.head >= noun or chunks.names_people(caption.words[noun].lemma)
    hangs = caption.words[noun].relation == "nmod"
    return noun if people is None or nearer or not hangs else people.head


def _exchangeable(caption: Caption, place: int) -> bool:
    """A noun phrase that is whole: not a set (of stairs), not the adults of a group, not one of two joined by `and`."""
    if not chunks.is_noun(caption, place) or caption.words[place].token in _PRONOUNS:
        return False
    phrase, tokens = chunks.noun_phrase(caption, place), caption.tokens
    before = tokens[phrase.start - 1] if phrase.start else ""
    after = tokens[place + 1] if place + 1 < len(tokens) else ""
    return after not in ("of", "'s", "and", "or") and not {before, tokens[phrase.start]} & {"of", "and", "or"}


def _agreement(caption: Caption, verb: int, many: bool) -> list[Edit]:
    """The finite word of the verb's group, in the other number."""
    group = [child for child in caption.children[verb] if caption.words[child].relation in ("aux", "auxpass")]
    for place in (*group, verb):
        word = caption.words[place]
        if word.tag == ("VBZ" if many else "VBP"):
            return [(word.start, word.end, inflect(word.lemma, "VBP" if many else "VBZ"))]
    return []


def negation(caption: Caption, strength: int, rng: random.Random) -> Draft:
    options = _deniable(caption)
    if not options:
        raise CannotMake("no verb and no `with` that could be denied")
    chosen = rng.sample(options, min(strength, len(options)))
    changes = ", ".join(f"{old} -> {new}" for _, old, new in sorted(chosen))
    return edit(caption, [found for found, _, _ in chosen], changes)


def _deniable(caption: Caption) -> list[tuple[Edit, str, str]]:
    """The edit, and what it makes of which word."""
    found: list[tuple[Edit, str, str]] = []
    for place, word in enumerate(caption.words):
        helped = any(caption.words[child].relation in ("aux", "auxpass") for child in caption.children[place])
        finite = word.tag in ("VBZ", "VBP") and word.relation in ("root", "conj", "acl:relcl") and not helped
        helps = word.relation in ("aux", "auxpass", "cop") and word.tag in ("VBZ", "VBP", "VBD", "MD")
        token = word.token
        if helps or (finite and word.lemma == "be"):
            found.append(((word.end, word.end, " not"), token, f"{token} not"))
        elif finite:
            new = f"{'does' if word.tag == 'VBZ' else 'do'} not {word.lemma}"
            found.append(((word.start, word.end, new), token, new))
        elif word.tag == "VBG" and word.relation in ("acl", "dep", "amod") and not helped and place:
            found.append(((word.start, word.start, "not "), token, f"not {token}"))
        elif token == "with" and word.relation == "case":
            found.append(((word.start, word.end, "without"), token, "without"))
    return found


def repeated_phrase(caption: Caption, strength: int, rng: random.Random) -> Draft:
    """A decoder that loops: on a bench on a bench."""
    if not caption.words:
        raise CannotMake("the caption has no words")
    phrases = [
        extent
        for place, extent in enumerate(caption.extents)
        if extent and 2 <= len(extent) <= 6 and caption.words[extent.start].relation == "case" and extent.stop > place
    ]
    phrases += [chunks.noun_phrase(caption, place) for place in range(len(caption.words)) if _is_object(caption, place)]
    phrase = rng.choice(phrases or [range(max(0, len(caption.words) - 2), len(caption.words))])
    text = caption.phrase(phrase)
    small = text[:1].lower() + text[1:] if phrase.start == 0 else text
    end = caption.words[phrase.stop - 1].end
    return edit(caption, [(end, end, f" {small}" * strength)], f"repeated: {small}")


def _is_object(caption: Caption, place: int) -> bool:
    return caption.words[place].relation == "dobj" and chunks.is_noun(caption, place)


def dropped_object(caption: Caption, strength: int, rng: random.Random) -> Draft:
    """What a verb or a preposition calls for is not there."""
    phrases = [_object(caption, place) for place in range(len(caption.words)) if _is_object(caption, place)]
    if not phrases:
        for place, word in enumerate(caption.words):
            phrase = chunks.noun_phrase(caption, place)
            if word.relation == "nmod" and chunks.is_noun(caption, place) and phrase.start > 1:
                phrases.append(phrase)
    phrases = [phrase for phrase in phrases if len(phrase) < len(caption.words)]
    if not phrases:
        raise CannotMake("no object to leave out")
    chosen = rng.sample(phrases, min(strength, len(phrases)))
    edits = [(caption.words[phrase.start].start, caption.words[phrase.stop - 1].end, "") for phrase in chosen]
    return edit(caption, edits, "left out: " + ", ".join(caption.phrase(phrase) for phrase in chosen))


def _object(caption: Caption, place: int) -> range:
    """The noun phrase, with `of tongs` after a pair."""
    phrase = chunks.noun_phrase(caption, place)
    followed = place + 1 < len(caption.words) and caption.words[place + 1].token == "of"
    return (caption.extents[place] or phrase) if followed else phrase


def truncated(caption: Caption, strength: int, rng: random.Random) -> Draft:
    """The ending is cut off, if possible after a word that calls for another: a man sitting on a."""
    size = len(caption.words)
    if size < 3:
        raise CannotMake("too short to be cut")
    low, high = max(1, round(size * (1 - 0.25 * strength))), max(1, size - 1 - round(size * 0.25 * (strength - 1)))
    places = range(min(low, high), max(low, high) + 1)
    hanging = [end for end in places if caption.words[end - 1].tag in ("IN", "DT", "CC", "TO", "PRP$")]
    end = rng.choice(hanging or list(places))
    cut = caption.text[caption.words[end - 1].end :].strip()
    return Draft(caption.text[: caption.words[end - 1].end], f"cut off: {cut}")


def hypernym(caption: Caption, strength: int, rng: random.Random) -> Draft:
    options = {
        place: words
        for place, word in enumerate(caption.words)
        if chunks.is_noun(caption, place)
        and word.relation != "compound"
        and (words := [wider for wider in hypernyms(word.lemma) if wider not in caption.lemmas])
        and not (place and caption.words[place - 1].relation == "compound" and caption.words[place - 1].head == place)
    }
    if not options:
        raise CannotMake("no noun with a plain wider word")
    new = {}
    for place in rng.sample(sorted(options), min(strength, len(options))):
        wider = options[place][min(strength, len(options[place])) - 1]
        new[place] = inflect(wider, caption.words[place].tag)
    return replace(caption, new, _pairs(caption, new))


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
