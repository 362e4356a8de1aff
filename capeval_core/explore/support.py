"""Support: how far the references back each content word of a candidate, and what it misses of theirs.

A word's support is the highest cosine between its vector and that of any word of any reference, 0 to 1 (a negative
cosine counts 0). The other way round, a thing of the references is missed the more, the more people mention it and the
less any word of the candidate is like it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from capeval_core.explore.facts import is_head
from capeval_core.explore.findings import Missed, WordSupport
from capeval_core.explore.reading import Read, Vectors
from capeval_core.explore.things import alike

NO_SUPPORT = 0.5  # a thing of the references with less is missed


@dataclass(frozen=True, slots=True, eq=False)
class Support:
    """Candidate against references, word by word."""

    values: Vectors  # of each candidate word, 0 to 1
    closest: tuple[str, ...]  # the word that backs it most
    backing: tuple[int, ...]  # the reference of that word
    back: tuple[Vectors, ...]  # per reference: of each of its words by the candidate
    cover: tuple[float, ...]  # per reference: how far it backs the candidate's content words, on average


def compare(candidate: Read, references: Sequence[Read]) -> Support:
    size = len(candidate.words)
    if not size or not any(len(one.words) for one in references):
        nothing = tuple(np.zeros(len(one.words), dtype=np.float32) for one in references)
        return Support(np.zeros(size, np.float32), ("",) * size, (0,) * size, nothing, (0.0,) * len(references))
    lengths = [len(one.words) for one in references]
    cosines = np.clip(candidate.vectors @ np.concatenate([one.vectors for one in references]).T, 0, 1)
    best = cosines.argmax(axis=1)
    owners = np.repeat(np.arange(len(references)), lengths)
    tokens = [word.token for one in references for word in one.words]
    ends = np.cumsum(lengths)[:-1]
    content = list(candidate.content)
    cover = [float(part[content].max(axis=1).mean()) if content and part.size else 0.0
             for part in np.split(cosines, ends, axis=1)]  # fmt: skip
    return Support(
        cosines[np.arange(size), best],
        tuple(tokens[place] for place in best),
        tuple(owners[best].tolist()),
        tuple(np.split(cosines.max(axis=0), ends)),
        tuple(cover),
    )


def word_support(candidate: Read, support: Support) -> tuple[WordSupport, ...]:
    words, counted = candidate.words, set(candidate.nouns)
    return tuple(
        WordSupport(
            words[place].text,
            round(float(support.values[place]), 4),
            support.closest[place],
            place in counted,
            (words[place].start, words[place].end),
        )
        for place in candidate.content
    )


def noun_support(found: Sequence[WordSupport]) -> float | None:
    values = [one.value for one in found if one.counted]
    return round(sum(values) / len(values), 4) if values else None


Mentions = dict[str, dict[int, float]]  # a thing's lemma -> the references that mention it -> its support there


def mentions(references: Sequence[Read], support: Support) -> Mentions:
    """The references' things, most mentioned first; words for one thing count together, under the most used."""
    found: Mentions = {}
    for number, (reference, backs) in enumerate(zip(references, support.back, strict=True)):
        for place in reference.nouns:
            if is_head(reference.caption, place):
                known = found.setdefault(reference.words[place].lemma, {})
                known[number] = max(float(backs[place]), known.get(number, 0.0))
    merged: Mentions = {}
    for lemma, by in sorted(found.items(), key=lambda one: -len(one[1])):
        home = next((other for other in merged if alike(lemma, other)), lemma)
        known = merged.setdefault(home, {})
        for number, value in by.items():
            known[number] = max(value, known.get(number, 0.0))
    return merged


def missed(candidate: Read, mentioned: Mentions, references: int) -> tuple[Missed, ...]:
    """Things of the references that no word of the candidate is like, most mentioned first."""
    said = [candidate.words[place].lemma for place in candidate.nouns]
    found = [
        Missed(lemma, round(len(by) / references, 4), round(max(by.values()), 4))
        for lemma, by in mentioned.items()
        if max(by.values()) < NO_SUPPORT and not any(alike(lemma, other) for other in said)
    ]
    return tuple(sorted(found, key=lambda one: (-one.people, one.support)))
