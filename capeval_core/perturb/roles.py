"""Who does what: swapped roles and denials.

Strength is how many verbs are denied; roles are swapped once.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from capeval_core.perturb import chunks, phrases
from capeval_core.perturb.caption import Caption, Edit, edit
from capeval_core.perturb.inflect import inflect
from capeval_core.perturb.variant import CannotMake, Draft
from capeval_core.perturb.wordlists import word_set

_FINITE = ("VBZ", "VBP")
# What is had, done, worn or played takes no part of its own.
_LIGHT = word_set(
    "have do take make get perform practice show need give go come be celebrate enjoy attempt try start begin finish "
    "sing speak tell say win lose depict feature include contain resemble want like love model sport participate"
)
_NO_PART = word_set(
    "something someone somebody anything one nothing everything way fun time picture pictures photo photos photograph "
    "photographs hand hands head heads arm arms leg legs nap bath turn trick tricks walk ride shot game conversation "
    "pose poses view speech music song lunch dinner breakfast meal day look distance camera air side jump wheelie"
)
_GOES_ON = word_set("of and or that who which 's to while whilst")  # the object is not whole before these
_FILLED = word_set("fill top cover pack decorate load line adorn surround equip stock litter dot tile coat cram")


def swapped_roles(caption: Caption, strength: int, rng: random.Random) -> Draft:
    """A man rides a horse -> a horse rides a man; the verb agrees with its new subject."""
    options = list(_roles(caption))
    if not options:
        raise CannotMake("no verb right between who does it and to whom it is done")
    subject, verb, object_ = rng.choice(options)
    first, second = chunks.small(caption, subject), chunks.small(caption, object_)
    edits: list[Edit] = []
    for group, new in ((subject, second), (object_, first)):
        edits.append((caption.words[group.start].start, caption.words[group.stop - 1].end, new))
    many = caption.words[object_.stop - 1].tag == "NNS"
    if many != _many(caption, subject):
        edits += _agreement(caption, verb, many)
    return edit(caption, edits, f"{first} <-> {second}")


def _roles(caption: Caption) -> Iterator[tuple[range, int, range]]:
    """Subject, verb, object. They stand side by side, so that nobody is taken for another."""
    words = caption.words
    for verb, word in enumerate(words):
        tag, lemma = phrases.verb(caption, verb)
        if (
            tag not in ("VBG", *_FINITE)
            or lemma in _LIGHT
            or not word.token.isalpha()
            or word.relation in ("amod", "aux")
        ):
            continue
        stop = verb - 1 if verb and words[verb - 1].tag in _FINITE and words[verb - 1].lemma == "be" else verb
        if stop < 1 or words[stop - 1].tag not in ("NN", "NNS"):
            continue
        if not phrases.closely(caption, stop):
            continue
        subject, object_ = _ending(caption, stop), phrases.noun_group(caption, verb + 1)
        if subject and object_ and _whole(caption, subject, object_) and _agrees(caption, subject, verb, stop):
            yield subject, verb, object_


def _ending(caption: Caption, stop: int) -> range | None:
    """The noun group, with the phrases after it, that ends here and opens the caption or a clause."""
    openings = [place + 1 for place, word in enumerate(caption.words[:stop]) if word.token in ("while", "as", "when")]
    for start in (*reversed(openings), 0):
        found = phrases.noun_group(caption, start)
        if found and phrases.to_the_end(caption, found.stop) == stop:
            return range(start, stop)
    return None


def _whole(caption: Caption, subject: range, object_: range) -> bool:
    words = caption.words
    after = words[object_.stop] if object_.stop < len(words) else None
    if after and (after.token in _GOES_ON or after.tag in ("NN", "NNS", "JJ") or after.token.endswith("s'")):
        return False
    if any(words[place].tag == "PRP$" for place in subject) or (after and not phrases.closely(caption, object_.stop)):
        return False
    for group in (phrases.noun_group(caption, subject.start), object_):
        if group is None:
            return False
        noun = words[group.stop - 1]
        if noun.tag not in ("NN", "NNS") or noun.token in _NO_PART or phrases.singular_alone(caption, group):
            return False
        if any(words[place].tag in ("PRP$", "POS", "CC") or words[place].token == "another" for place in group):
            return False
        if chunks.noun_phrase(caption, group.stop - 1) != group:
            return False
    return words[object_.stop - 1].lemma not in {words[place].lemma for place in subject}


def _many(caption: Caption, subject: range) -> bool:
    group = phrases.noun_group(caption, subject.start) or subject
    return caption.words[group.stop - 1].tag == "NNS"


def _agrees(caption: Caption, subject: range, verb: int, stop: int) -> bool:
    """A wrong tag shows here: a man stand."""
    tag = caption.words[stop].tag if stop != verb else phrases.verb(caption, verb)[0]
    return tag == "VBG" or _many(caption, subject) == (tag == "VBP")


def _agreement(caption: Caption, verb: int, many: bool) -> list[Edit]:
    """The finite word of the verb's group, in the other number."""
    for place in (verb - 1, verb):
        word = caption.words[place]
        if word.tag == ("VBZ" if many else "VBP"):
            return [(word.start, word.end, inflect(word.lemma, "VBP" if many else "VBZ"))]
    return []


def negation(caption: Caption, strength: int, rng: random.Random) -> Draft:
    """Two denials in one clause would cancel each other: after the first only another finite verb is denied."""
    options = list(_deniable(caption))
    if not options:
        raise CannotMake("no verb and no `with` that could be denied")
    first = rng.choice(options)
    chosen = [first, *[one for one in options if one[1] and one[0] > first[0]][: strength - 1]]
    changes = ", ".join(f"{old} -> {new}" for *_, old, new in sorted(chosen))
    return edit(caption, [change for _, _, change, _, _ in chosen], changes)


def _deniable(caption: Caption) -> Iterator[tuple[int, bool, Edit, str, str]]:
    """Place, is it a finite verb, the edit, and what it makes of which word."""
    words = caption.words
    for place, word in enumerate(words):
        if word.token == "with" and word.relation == "case":
            if _without_fits(caption, place):
                yield place, False, (word.start, word.end, "without"), word.token, "without"
        elif word.tag in _FINITE and _is_verb(caption, place):
            if word.lemma == "be":
                yield place, True, (word.end, word.end, " not"), word.token, f"{word.token} not"
            else:
                new = f"{'does' if word.tag == 'VBZ' else 'do'} not {word.lemma}"
                yield place, True, (word.start, word.end, new), word.token, new
        elif phrases.is_doing(caption, place) or (
            word.tag == "VBG" and place and words[place - 1].tag in ("NN", "NNS") and _acts(caption, place)
        ):
            yield place, False, (word.start, word.start, "not "), word.token, f"not {word.token}"


def _acts(caption: Caption, place: int) -> bool:
    word = caption.words[place]
    helped = any(caption.words[child].relation in ("aux", "auxpass") for child in caption.children[place])
    return word.relation in ("acl", "dep", "root", "xcomp", "advcl") and not helped and phrases.closely(caption, place)


def _is_verb(caption: Caption, place: int) -> bool:
    """Not a noun that the parser took for a verb: a window pane, dead leaves, at produce."""
    word, before = caption.words[place], caption.words[place - 1] if place else None
    if before is None or before.tag in ("JJ", "DT", "IN", "RP", "PRP$", "CD", "TO", "POS", "CC", "VBG"):
        return bool(before) and word.lemma == "be" and before is not None and before.tag not in ("DT", "JJ")
    if inflect(word.lemma, word.tag) != word.token:
        return False
    governor = word.head if word.relation in ("aux", "auxpass", "cop") else place
    below = caption.children[governor] if governor >= 0 else ()
    subjects = [child for child in below if caption.words[child].relation in ("nsubj", "nsubjpass", "expl")]
    if not subjects or subjects[0] > place:
        return False
    subject = caption.words[subjects[0]]
    joined = any(caption.words[child].relation == "conj" for child in caption.children[subjects[0]])
    many = subject.tag in ("NNS", "WDT", "WP", "EX", "PRP") or subject.lemma in ("people", "group", "couple", "crowd")
    return word.tag == "VBZ" or many or joined or word.lemma == "be"


def _without_fits(caption: Caption, place: int) -> bool:
    """Filled with beds is not filled without beds; and `with` of a list is not its last."""
    before = caption.words[place - 1] if place else None
    if before is None or before.tag in ("VBN", "VBD", "JJ", "IN", "RB", "CC") or before.lemma in _FILLED:
        return False
    return phrases.noun_group(caption, place + 1) is not None
