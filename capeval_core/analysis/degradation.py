"""Does a fluency score fall as text decays? A growing share of each caption's words gives way to random words.

Paper:     Feinglass and Yang 2021, "SMURF: SeMantic and linguistic UndeRstanding Fusion for Caption Evaluation via
           Typicality Analysis", section 4.1 and figure 5.

A word once replaced stays replaced in the later steps, so each step is the one before it and more; punctuation stays.
The new word is another one of the captions at hand. The paper does not say whether common words come as often as they
occur; here they do (`by_frequency`), so that the mix of common and rare words stays. Drawn from the distinct words
instead, most new words are rare: MIMA on MiniLM then stays level (500 human captions of COCO: 0.659 to 0.659) or rises
(m2's: 0.654 to 0.677), where by frequency it falls (0.659 to 0.634, and 0.654 to 0.638).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from capeval_core.analysis import bootstrap
from capeval_core.errors import InvalidInput
from capeval_core.service import MetricOptions, evaluate
from capeval_core.types import Array, CaptionItem, Progress

STEPS = (0.0, 0.1, 0.3, 0.5, 1.0)
WORD = re.compile(r"\w+(?:['’-]\w+)*")
Score = Callable[[Sequence[str]], Array]  # a value per caption


@dataclass(frozen=True, slots=True)
class Step:
    share: float  # of the words that was to be replaced
    replaced: float  # that was, over all captions
    mean: float  # of the score; NaN where no caption has one
    low: float  # 95 % bootstrap interval of the mean, captions drawn whole
    high: float
    captions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Decay:
    """One caption: where its words are, in which order they go, and what comes in their place."""

    caption: str
    spans: tuple[tuple[int, int], ...]
    order: tuple[int, ...]
    others: tuple[str, ...]
    luck: float

    def gone(self, share: float) -> tuple[int, ...]:
        # Of 7 words 10 % is 0.7: most such captions lose one, some none, and the share is right over all of them.
        return self.order[: int(share * len(self.spans) + self.luck)]

    def at(self, share: float) -> str:
        text = self.caption
        for place in sorted(self.gone(share), reverse=True):
            start, end = self.spans[place]
            text = text[:start] + self.others[place] + text[end:]
        return text


def _decays(captions: Sequence[str], seed: int, by_frequency: bool) -> list[_Decay]:
    found = [tuple(match.span() for match in WORD.finditer(caption)) for caption in captions]
    own = [[text[start:end].lower() for start, end in spans] for text, spans in zip(captions, found, strict=True)]
    running = [word for caption in own for word in caption]
    distinct = list(dict.fromkeys(running))
    pool = running if by_frequency else distinct
    generator = np.random.default_rng(seed)

    def other(word: str) -> str:
        new = word
        while new == word and len(distinct) > 1:  # one word alone has no other
            new = pool[generator.integers(len(pool))]
        return new

    decays = []
    for caption, spans, old in zip(captions, found, own, strict=True):
        order = tuple(generator.permutation(len(spans)).tolist())
        decays.append(_Decay(caption, spans, order, tuple(map(other, old)), float(generator.random())))
    return decays


def degrade(
    captions: Sequence[str], steps: Sequence[float] = STEPS, seed: int = 0, by_frequency: bool = True
) -> list[list[str]]:
    """The captions at each step."""
    decays = _decays(captions, seed, by_frequency)
    return [[decay.at(share) for decay in decays] for share in _checked(steps)]


def _checked(steps: Sequence[float]) -> Sequence[float]:
    for share in steps:
        if not 0 <= share <= 1:
            raise InvalidInput("share of words to replace", expected="0 to 1", found=repr(share))
    return steps


def study(
    captions: Sequence[str],
    score: Score,
    *,
    steps: Sequence[float] = STEPS,
    seed: int = 0,
    by_frequency: bool = True,
) -> tuple[Step, ...]:
    """Degrades, scores all steps in one batch and gives the mean of each."""
    if not captions or not _checked(steps):
        raise InvalidInput("degradation study", expected="captions and steps", found="none")
    decays = _decays(captions, seed, by_frequency)
    texts = [[decay.at(share) for decay in decays] for share in steps]
    values = np.asarray(score([caption for step in texts for caption in step]), dtype=np.float64)
    values = values.reshape(len(texts), len(captions))
    spread = _drawn_means(values, seed)
    total = max(sum(len(decay.spans) for decay in decays), 1)
    found = []
    for place, (share, step) in enumerate(zip(steps, texts, strict=True)):
        gone = sum(len(decay.gone(share)) for decay in decays)
        defined = values[place][np.isfinite(values[place])]
        mean = float(defined.mean()) if len(defined) else float("nan")
        found.append(Step(share, gone / total, mean, *bootstrap.interval(spread[:, place]), tuple(step)))
    return tuple(found)


def _drawn_means(values: Array, seed: int) -> Array:
    """(steps, captions) -> (samples, steps)."""
    defined = np.isfinite(values)
    sums = np.where(defined, values, 0.0)
    blocks = []
    for counts in bootstrap.draw(values.shape[1], bootstrap.SAMPLES, seed):
        numbers = counts @ defined.T
        totals = counts @ sums.T
        blocks.append(np.divide(totals, numbers, out=np.full_like(totals, np.nan), where=numbers > 0))
    return np.concatenate(blocks)


def study_metric(
    items: Sequence[CaptionItem],
    key: str = "mima",
    *,
    steps: Sequence[float] = STEPS,
    seed: int = 0,
    by_frequency: bool = True,
    options: MetricOptions | None = None,
    device: str = "auto",
    on_progress: Progress | None = None,
) -> tuple[Step, ...]:
    """The study of a metric by its key; a metric that cannot score raises its reason."""

    def score(captions: Sequence[str]) -> Array:
        owners = [item for _ in steps for item in items]
        degraded = [replace(item, candidate=caption) for item, caption in zip(owners, captions, strict=True)]
        found = evaluate(degraded, [key], options=options, device=device, on_progress=on_progress)
        if key in found.skipped:
            raise found.skipped[key]
        return found.scores[key]

    return study([item.candidate for item in items], score, steps=steps, seed=seed, by_frequency=by_frequency)
