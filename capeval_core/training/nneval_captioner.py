"""The blind captioner: a small GRU that writes a caption from a sentence vector, never having seen an image.

It learns to write one caption of an image from the mean vector of one to four of its others, plus noise. Given the
vector of a caption from another data set it makes the mistakes of a captioner under domain shift: the scene is about
right, the details are what it knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from capeval_core import pace
from capeval_core.training.nneval_sentences import Ints, Log, Vectors, digest, half_precision

PAD, START, END, UNKNOWN = range(4)
SPECIAL = 4


@dataclass(frozen=True, slots=True)
class Settings:
    units: int = 256
    seen: int = 20  # a word seen less often is unknown
    longest: int = 20  # words
    batch: int = 96
    steps: int = 3_000
    learning_rate: float = 2e-3
    noise: float = 0.8  # the longest that is added to a vector of length 1
    seed: int = 1


class Captioner(nn.Module):
    def __init__(self, words: int, size: int, units: int) -> None:
        super().__init__()
        self.word = nn.Embedding(words, units)
        self.start = nn.Linear(size, units)
        self.meaning = nn.Linear(size, units)
        self.gru = nn.GRU(2 * units, units, batch_first=True)
        self.out = nn.Linear(units, words)

    def read(self, vectors: Tensor) -> tuple[Tensor, Tensor]:
        """What each step is told, and the first state."""
        return torch.tanh(self.meaning(vectors)), torch.tanh(self.start(vectors))[None]

    def step(self, words: Tensor, told: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """(captions, places) of words -> what comes next."""
        told = told[:, None].expand(-1, words.shape[1], -1)
        hidden, state = self.gru(torch.cat([self.word(words), told], -1), state)
        with half_precision():  # nearly all of the time goes into this product
            scores: Tensor = self.out(hidden)
        return scores.float(), state


@dataclass(frozen=True, slots=True)
class Lexicon:
    words: tuple[str, ...]

    def ids(self, tokens: Sequence[str]) -> list[int]:
        known = {word: number for number, word in enumerate(self.words, SPECIAL)}
        return [known.get(token, UNKNOWN) for token in tokens]


def lexicon_of(captions: Sequence[str], seen: int) -> Lexicon:
    counts = Counter(word for caption in captions for word in caption.split())
    return Lexicon(tuple(sorted(word for word, count in counts.items() if count >= seen)))


def numbered(captions: Sequence[str], lexicon: Lexicon, longest: int) -> list[list[int]]:
    known = {word: number for number, word in enumerate(lexicon.words, SPECIAL)}
    return [
        [START, *(known.get(word, UNKNOWN) for word in caption.split()[:longest]), END]
        for caption in pace.each(captions)
    ]


def with_noise(vectors: Tensor, lengths: Tensor, generator: torch.Generator) -> Tensor:
    """Noise of these lengths in random directions."""
    noise = functional.normalize(torch.randn(vectors.shape, generator=generator), dim=-1)
    return vectors + noise * lengths[:, None]


class Data:
    """Captions (as COCO tokens) with their vectors and images, in batches of captions of one length."""

    def __init__(self, captions: Sequence[str], vectors: Vectors, images: Ints, settings: Settings) -> None:
        self.settings = settings
        self.lexicon = lexicon_of(captions, settings.seen)
        self.vectors = torch.from_numpy(vectors)
        self.rows = numbered(captions, self.lexicon, settings.longest)
        self._others: dict[int, list[int]] = {}
        for row, image in enumerate(images.tolist()):
            self._others.setdefault(image, []).append(row)
        self._image = images.tolist()
        self._by_length: dict[int, list[int]] = {}
        for row, ids in enumerate(self.rows):
            if len(self._others[self._image[row]]) > 1 and len(ids) > 2:
                self._by_length.setdefault(len(ids), []).append(row)

    def __len__(self) -> int:
        return sum(map(len, self._by_length.values()))

    def batches(self, chance: np.random.Generator) -> Iterator[list[int]]:
        """For ever; each pass has every caption once, but for what does not fill a batch."""
        size = self.settings.batch
        while True:
            found = []
            for rows in self._by_length.values():
                mixed = chance.permutation(rows).tolist()
                found += [mixed[start : start + size] for start in range(0, len(mixed), size)]
            yield from (found[place] for place in chance.permutation(len(found)))

    def meanings(self, rows: Sequence[int], chance: np.random.Generator) -> Tensor:
        """The normalised mean of one to four other captions of each one's image."""
        found = []
        for row in rows:
            others = [one for one in self._others[self._image[row]] if one != row]
            count = int(chance.integers(1, min(4, len(others)) + 1))
            found.append(self.vectors[chance.choice(others, count, replace=False)].mean(0))
        return functional.normalize(torch.stack(found), dim=-1)


def train(
    captions: Sequence[str], vectors: Vectors, images: Ints, folder: Path, log: Log, settings: Settings
) -> tuple[Captioner, Lexicon]:
    """From the working folder where it was trained before."""
    data = Data(captions, vectors, images, settings)
    torch.manual_seed(settings.seed)
    model = Captioner(len(data.lexicon.words) + SPECIAL, vectors.shape[1], settings.units)
    path = folder / f"captioner-{digest([*captions[:1000], repr(settings), str(len(captions))])}.safetensors"
    if path.is_file():
        model.load_state_dict(load_file(path))
    else:
        _learn(model, data, settings, log)
        partial = path.with_suffix(".partial")
        save_file(model.state_dict(), partial)
        partial.replace(path)
    return model.eval(), data.lexicon


def _learn(model: Captioner, data: Data, settings: Settings, log: Log) -> None:
    chance = np.random.default_rng(settings.seed)
    generator = torch.Generator().manual_seed(settings.seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.learning_rate)
    total = 0.0
    for step, rows in zip(range(settings.steps), data.batches(chance), strict=False):
        pace.look()
        optimizer.param_groups[0]["lr"] = settings.learning_rate * min(1.0, 2 * (1 - step / settings.steps))
        lengths = torch.rand(len(rows), generator=generator) * settings.noise
        told, state = model.read(with_noise(data.meanings(rows, chance), lengths, generator))
        ids = torch.tensor([data.rows[row] for row in rows])
        scores, _ = model.step(ids[:, :-1], told, state)
        loss = functional.cross_entropy(scores.flatten(0, 1), ids[:, 1:].flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        total += float(loss.detach())
        if (step + 1) % 200 == 0:
            log(f"blind captioner: step {step + 1} of {settings.steps}, loss {total / 200:.3f}")
            total = 0.0


@torch.inference_mode()
def write(model: Captioner, lexicon: Lexicon, vectors: Vectors, noise: float, settings: Settings) -> list[str]:
    """Greedily, never an unknown word, no word twice in a row; the same for the same vectors, noise and seed."""
    generator = torch.Generator().manual_seed(settings.seed + round(noise * 1_000))
    given = with_noise(torch.from_numpy(vectors), torch.full((len(vectors),), noise), generator)
    told, state = model.read(given)
    last = torch.full((len(vectors), 1), START)
    written: list[Tensor] = []
    for place in range(settings.longest):
        pace.look()
        scores, state = model.step(last, told, state)
        scores = scores[:, 0]
        scores[:, [PAD, START, UNKNOWN]] = -torch.inf
        if place:
            scores.scatter_(1, last, -torch.inf)
        else:
            scores[:, END] = -torch.inf
        last = scores.argmax(-1, keepdim=True)
        written.append(last[:, 0])
    return [_text(row, lexicon) for row in torch.stack(written, 1).tolist()]


def _text(ids: Sequence[int], lexicon: Lexicon) -> str:
    end = ids.index(END) if END in ids else len(ids)
    return " ".join(lexicon.words[number - SPECIAL] for number in ids[:end])
