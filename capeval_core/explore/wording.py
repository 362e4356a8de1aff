"""Diversity and wording: how many captions and words differ, which words a captioner prefers, which templates it fills.

Words:     log-odds ratio with an informative Dirichlet prior (Monroe, Colaresi and Quinn 2008, "Fightin' Words"), the
           prior being both sides' words together, as strong as PRIOR words. z above 2: hardly chance.
People:    the references of the captioner's images, each image once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from capeval_core import pace
from capeval_core.perturb.wordlists import word_set
from capeval_core.shared import Shared
from capeval_core.text.stopwords import stopwords
from capeval_core.types import CaptionItem

PRIOR = 1_000.0
MOST = 20
SURE = 2.0
SLOT = "…"
_FRAME = word_set(
    "near next front top behind under riding sitting standing holding wearing lot lots two three several many group "
    "couple bunch"
)


@dataclass(frozen=True, slots=True)
class Usage:
    word: str
    captioner: float  # per 1,000 words
    people: float
    z: float  # above 0: the captioner uses it more


@dataclass(frozen=True, slots=True)
class Template:
    pattern: str  # a … sitting on a …
    captions: int
    share: float  # of the captioner's captions
    people: float  # of the references
    example: str


@dataclass(frozen=True, slots=True)
class Wording:
    system: str
    captions: int
    distinct: int  # different captions
    vocabulary: int  # different words
    words: int
    length: float  # words per caption
    people_captions: int
    people_distinct: int
    people_vocabulary: int  # of as many words as the captioner has: the images' first references, then the second
    people_length: float
    more: tuple[Usage, ...]
    less: tuple[Usage, ...]
    templates: tuple[Template, ...]  # most used first
    repeated: tuple[tuple[str, int], ...]  # captions given to several images, most often first


def wording(items: Sequence[CaptionItem], system: str, *, shared: Shared | None = None) -> Wording:
    shared = shared or Shared()
    own = [item for item in items if item.system == system]
    references = {item.image_id: item.references for item in own}
    ours = [shared.tokens(item.candidate).split() for item in pace.each(own)]
    ordered = [text for texts in zip_longest(*references.values()) for text in texts if text is not None]
    theirs = [shared.tokens(text).split() for text in pace.each(ordered)]
    counts, people = Counter(w for words in ours for w in words), Counter(w for words in theirs for w in words)
    usage = odds(counts, people)
    captions = Counter(" ".join(words) for words in ours)
    repeated = [(text, count) for text, count in captions.most_common(MOST) if count > 1]
    return Wording(
        system=system,
        captions=len(ours),
        distinct=len(captions),
        vocabulary=len(counts),
        words=counts.total(),
        length=_mean(ours),
        people_captions=len(theirs),
        people_distinct=len({" ".join(words) for words in theirs}),
        people_vocabulary=_vocabulary(theirs, counts.total()),
        people_length=_mean(theirs),
        more=tuple(one for one in usage[:MOST] if one.z > SURE),
        less=tuple(one for one in usage[::-1][:MOST] if one.z < -SURE),
        templates=_templates(own, ours, theirs),
        repeated=tuple(repeated),
    )


def odds(ours: Counter[str], theirs: Counter[str]) -> list[Usage]:
    """Every word, the captioner's favourites first."""
    total, others = ours.total(), theirs.total()
    if not total or not others:
        return []
    scale = PRIOR / (total + others)
    found = []
    for word in pace.each(ours.keys() | theirs.keys()):
        prior = scale * (ours[word] + theirs[word])
        one, other = ours[word] + prior, theirs[word] + prior
        delta = math.log(one / (total + PRIOR - one)) - math.log(other / (others + PRIOR - other))
        z = delta / math.sqrt(1 / one + 1 / other)
        found.append(Usage(word, 1_000 * ours[word] / total, 1_000 * theirs[word] / others, z))
    return sorted(found, key=lambda one: (-one.z, one.word))


def template(words: Sequence[str]) -> str:
    """The caption with a gap for each word that carries its own content."""
    kept = stopwords() | _FRAME
    found: list[str] = []
    for word in words:
        piece = word if word in kept else SLOT
        if piece != SLOT or found[-1:] != [SLOT]:
            found.append(piece)
    return " ".join(found)


def _templates(
    own: Sequence[CaptionItem], ours: Sequence[Sequence[str]], theirs: Sequence[Sequence[str]]
) -> tuple[Template, ...]:
    patterns = [template(words) for words in ours]
    people = Counter(template(words) for words in theirs)
    examples = {pattern: item.candidate.strip() for pattern, item in zip(patterns, own, strict=True)}
    return tuple(
        Template(pattern, count, count / len(ours), people[pattern] / max(len(theirs), 1), examples[pattern])
        for pattern, count in Counter(patterns).most_common(MOST)
        if count > 1
    )


def _mean(texts: Sequence[Sequence[str]]) -> float:
    return sum(map(len, texts)) / len(texts) if texts else math.nan


def _vocabulary(texts: Sequence[Sequence[str]], words: int) -> int:
    """More text has more words: counted on as much of it as the captioner has."""
    seen: set[str] = set()
    for text in texts:
        if words <= 0:
            break
        seen.update(text[:words])
        words -= len(text)
    return len(seen)
