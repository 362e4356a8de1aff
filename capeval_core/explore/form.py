"""Errors of form: words said again, an ending that calls for more, a length that is far from people's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from capeval_core.explore.attributes import group_of
from capeval_core.explore.case import Case
from capeval_core.explore.findings import Error
from capeval_core.explore.reading import NOUNS, Read
from capeval_core.explore.things import WORN
from capeval_core.perturb.caption import Word
from capeval_core.perturb.colours import COLOURS
from capeval_core.perturb.wordlists import word_set

_TWICE = word_set("very so bye knock no ha really that had many more much in on")  # on purpose, or fenced in in front
_MAY_END = word_set("this that these those each another all both some any either him her it them")
_LONGEST = 8  # words of a phrase that may be said again
_OPEN = ("DT", "CC", "PRP$", "TO", "WDT", "WP")
_NEEDS_MORE = word_set(
    "a an the of and or to with from at for while as into onto than their its my your during near toward towards "
    "without beside against among who which whose but is are in on by his"
)
# A caption may end with these behind one of the verbs: looks on, walks by.
_PARTICLES = {
    "on": word_set("look go hold hang turn light watch carry put try move stand cheer clip"),
    "by": word_set(
        "walk pass go drive run stand ride fly watch look come float sit speed roll skate sail bike jog close near"
    ),
    "in": word_set("come move tuck fall swim fill go dig plug check lean walk jump get step tune"),
    "to": word_set("listen"),
}
_CAN_END = word_set("with at for to from against near in on by beside among")  # where a clause was opened for it
_NEEDS_OBJECT = word_set("wear hold carry")
SHORT, LONG = 0.5, 2.0


def repetitions(case: Case) -> Iterator[Error]:
    words = case.candidate.words
    tokens = [word.token for word in words]
    found = _looped(tokens) or _listed_twice(words)
    if found:
        first, again = found
        said = case.text(first)
        again_places = list(again)
        strength = 0.7 + 0.05 * len(first)
        yield case.error("repetition", again_places, strength, f'"{said}" is said again.')


def _looped(tokens: Sequence[str]) -> tuple[range, range] | None:
    """The longest phrase that follows itself: on a bench on a bench."""
    for size in range(min(_LONGEST, len(tokens) // 2), 0, -1):
        for start in range(len(tokens) - 2 * size + 1):
            phrase = tokens[start : start + size]
            if phrase == tokens[start + size : start + 2 * size] and not _TWICE.issuperset(phrase):
                return range(start, start + size), range(start + size, start + 2 * size)
    return None


def _listed_twice(words: Sequence[Word]) -> tuple[range, range] | None:
    """A cat and a cat; with a table and a table. Not `a man in red and a man in blue`."""
    tokens = [word.token for word in words]
    for middle, token in enumerate(tokens):
        if token not in ("and", "or", "with", "of", "next"):
            continue
        for size in range(min(5, middle, len(tokens) - middle - 1), 0, -1):
            first, again = range(middle - size, middle), range(middle + 1, middle + 1 + size)
            same = tokens[first.start : first.stop] == tokens[again.start : again.stop]
            whole = again.stop == len(tokens) or words[again.stop].tag in ("CC", "VBZ", "VBP")
            noun = words[again.stop - 1].tag in NOUNS
            if same and whole and noun and (size > 1 or token == "and") and token != "next":
                return first, again
    return None


def broken_endings(case: Case) -> Iterator[Error]:
    words = case.candidate.words
    if len(words) < 2 or not _is_broken(words):
        return
    last = words[-1]
    evidence = f'It ends with "{last.token}", after which more must follow.'
    yield case.error("broken_ending", (len(words) - 1,), 0.9, evidence)


def _is_broken(words: Sequence[Word]) -> bool:
    last, before = words[-1], words[-2]
    if last.token in _NEEDS_MORE:
        particle = before.lemma in _PARTICLES.get(last.token, ()) or (last.token == "on" and before.lemma in WORN)
        return not particle and not (last.token in _CAN_END and _has_opening(words))
    if last.tag in _OPEN and last.token not in _MAY_END:
        return True
    if last.tag == "VBG" and last.lemma in _NEEDS_OBJECT:
        return True
    if last.token in COLOURS and before.tag == "IN" and before.token not in ("in", "with", "of"):
        return True
    described = last.token in COLOURS or (last.tag == "JJ" and bool(group_of(last.token)))
    return described and before.token in ("a", "an")


def _has_opening(words: Sequence[Word]) -> bool:
    """Toys to play with, a dog being looked at: the preposition's noun stands before."""
    return any(
        word.token in ("to", "that", "which", "being", "who", "he", "she", "they", "it") for word in words[-6:-1]
    )


def odd_lengths(case: Case) -> Iterator[Error]:
    size, lengths = len(case.candidate.words), [len(one.words) for one in case.references if one.words]
    if len(lengths) < 2:
        return
    if size <= SHORT * min(lengths) and min(lengths) - size >= 4:
        evidence = f"{size} words; the shortest reference has {min(lengths)}."
        yield Error("too_short", _whole(case.candidate), round(1 - size / min(lengths), 3), evidence)
    if size >= LONG * max(lengths) and size - max(lengths) >= 4:
        evidence = f"{size} words; the longest reference has {max(lengths)}."
        yield Error("too_long", _whole(case.candidate), round(1 - max(lengths) / size, 3), evidence)


def _whole(read: Read) -> str:
    return f"{len(read.words)} words"
