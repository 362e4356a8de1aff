"""Does a fluency score fall as text decays? A growing share of each caption's words gives way to random words.

Paper:     Feinglass and Yang 2021, "SMURF: SeMantic and linguistic UndeRstanding Fusion for Caption Evaluation via
           Typicality Analysis", section 4.1 and figure 5.

A word once replaced stays replaced in the later steps, so each step is the one before it and more. The new word is
any other of the distinct words of the captions at hand; punctuation stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from capeval_core.analysis import bootstrap
from capeval_core.errors import InvalidInput
from capeval_core.service import MetricOptions, evaluate
from capeval_core.shared import Progress
from capeval_core.types import Array, CaptionItem

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


def _decays(captions: Sequence[str], seed: int) -> list[_Decay]:
    found = [tuple(match.span() for match in WORD.finditer(caption)) for caption in captions]
    own = [[text[start:end].lower() for start, end in spans] for text, spans in zip(captions, found, strict=True)]
    words = list(dict.fromkeys(word for caption in own for word in caption))
    places = {word: place for place, word in enumerate(words)}
    generator = np.random.default_rng(seed)
    decays = []
    for caption, spans, old in zip(captions, found, own, strict=True):
        order = tuple(generator.permutation(len(spans)).tolist())
        picks = generator.integers(0, max(len(words) - 1, 1), len(spans)).tolist()
        # Picks from the word's own place upwards move on by one: each word gives way to another, if there is another.
        moved = [pick + (pick >= places[word]) for pick, word in zip(picks, old, strict=True)]
        others = tuple(words[place % len(words)] for place in moved)
        decays.append(_Decay(caption, spans, order, others, float(generator.random())))
    return decays


def degrade(captions: Sequence[str], steps: Sequence[float] = STEPS, seed: int = 0) -> list[list[str]]:
    """The captions at each step."""
    decays = _decays(captions, seed)
    return [[decay.at(share) for decay in decays] for share in _checked(steps)]


def _checked(steps: Sequence[float]) -> Sequence[float]:
    for share in steps:
        if not 0 <= share <= 1:
            raise InvalidInput("share of words to replace", expected="0 to 1", found=repr(share))
    return steps


def study(captions: Sequence[str], score: Score, *, steps: Sequence[float] = STEPS, seed: int = 0) -> tuple[Step, ...]:
    """Degrades, scores all steps in one batch and gives the mean of each."""
    if not captions or not _checked(steps):
        raise InvalidInput("degradation study", expected="captions and steps", found="none")
    decays = _decays(captions, seed)
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

    return study([item.candidate for item in items], score, steps=steps, seed=seed)
