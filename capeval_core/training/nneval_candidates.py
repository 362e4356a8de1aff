"""The captions NNEval learns from: people's, and wrong ones that stand for a machine's, in pools of one kind each.

Of each image one caption h is held back: what is made of h, or sought near it, is scored against the other captions.
human       captions of the image, each against all the others
coco        captions of another data set's images that lie nearest to h (sentence vectors), at several ranks
flickr      the same from other images of the data itself
random      a caption of another image
blind       what the blind captioner writes from h's vector
faults      h with a fault, distractors: h with another person or scene (capeval_core.perturb)
fooling     h backwards, shuffled, twice, one word of it, nothing, or the references joined to one caption
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from capeval_core import pace
from capeval_core.errors import InvalidInput
from capeval_core.perturb import KINDS, perturb
from capeval_core.text import ptb
from capeval_core.training import nneval_captioner as captioner
from capeval_core.training.nneval_sentences import Ints, Log, Vectors, near_ranks, sentence_vectors
from capeval_core.types import CaptionItem

Images = Mapping[str, Sequence[str]]  # each image's captions
HUMAN = "human"
POOLS = ("coco", "flickr", "random", "blind", "faults", "distractors", "fooling")
RANKS = (1, 5, 20, 100)
NOISES = (0.0, 0.5, 0.8, 1.2)
FOOLING = ("reversed", "shuffled", "doubled", "one word", "empty", "joined")
FEWEST_CAPTIONS = 3  # of an image: one to judge and two to compare with
FEWEST_IMAGES = 20
PERTURBED_AT_ONCE = 500  # images


@dataclass(frozen=True, slots=True)
class Settings:
    images: int = 3_000
    humans: int = 3  # captions of each image that are judged as people's
    pools: tuple[str, ...] = POOLS
    randoms: int = 2
    faults: int = 3  # of the kinds that can be made, for each image
    distractors: int = 2
    fooling: int = 3
    library: int = 5  # captions of each image of the library
    seed: int = 1
    captioner: captioner.Settings = field(default_factory=captioner.Settings)


@dataclass(frozen=True, slots=True)
class Candidate:
    image: str
    pool: str
    kind: str
    text: str
    references: tuple[str, ...]

    @property
    def item(self) -> CaptionItem:
        return CaptionItem(self.image, self.text, self.references)


@dataclass(frozen=True, slots=True)
class Held:
    """An image: the caption that is held back, and the others."""

    image: str
    caption: str
    others: tuple[str, ...]


def build(data: Images, library: Images | None, folder: Path, log: Log, settings: Settings) -> list[Candidate]:
    """All candidates, image by image; kept in the folder. `library`: captions of other images (COCO's) in which near
    ones are sought and from which the blind captioner learns; without it those of the data that are not chosen."""
    path = folder / "candidates.jsonl"
    if path.is_file():
        return list(read(path))
    held = choose(data, settings)
    made = {one.image: list(_people(one, settings)) for one in held}
    for candidate in _machines(held, data, library, folder, log, settings):
        made[candidate.image].append(candidate)
    found = [candidate for candidates in made.values() for candidate in candidates]
    folder.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text("".join(json.dumps(asdict(one)) + "\n" for one in found), encoding="utf-8")
    partial.replace(path)
    log(f"{len(found):,} candidates of {len(held):,} images")
    return found


def read(path: Path) -> Iterator[Candidate]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            yield Candidate(**{**row, "references": tuple(row["references"])})


def choose(data: Images, settings: Settings) -> list[Held]:
    """The images to learn from, in a random order, each with one caption held back."""
    usable = [image for image, captions in data.items() if len(set(captions)) >= FEWEST_CAPTIONS]
    if len(usable) < FEWEST_IMAGES:
        expected = f"at least {FEWEST_IMAGES} images with {FEWEST_CAPTIONS} different captions each"
        raise InvalidInput("too little data to train NNEval", expected=expected, found=f"{len(usable)} such images")
    chance = random.Random(settings.seed)
    found = []
    for image in chance.sample(usable, min(settings.images, len(usable))):
        captions = list(dict.fromkeys(data[image]))
        caption = captions.pop(chance.randrange(len(captions)))
        found.append(Held(image, caption, tuple(captions)))
    return found


def _people(held: Held, settings: Settings) -> Iterator[Candidate]:
    yield Candidate(held.image, HUMAN, HUMAN, held.caption, held.others)
    for place in range(min(settings.humans - 1, len(held.others))):
        rest = (held.caption, *held.others[:place], *held.others[place + 1 :])
        yield Candidate(held.image, HUMAN, HUMAN, held.others[place], rest)


def _machines(
    held: Sequence[Held], data: Images, library: Images | None, folder: Path, log: Log, settings: Settings
) -> Iterator[Candidate]:
    if {"coco", "flickr", "blind"} & set(settings.pools):
        yield from _near(held, data, library, folder, log, settings)
    chance = random.Random(settings.seed + 1)
    images = list(data)
    for one in held:
        if "random" in settings.pools:
            for _ in range(settings.randoms):
                other = chance.choice([image for image in chance.sample(images, 2) if image != one.image])
                yield Candidate(one.image, "random", "random", chance.choice(list(data[other])), one.others)
        if "fooling" in settings.pools:
            for kind in chance.sample(FOOLING, settings.fooling):
                yield Candidate(one.image, "fooling", kind, fool(kind, one.caption, one.others, chance), one.others)
    yield from _perturbed(held, data, log, settings)


def fool(kind: str, caption: str, references: Sequence[str], chance: random.Random) -> str:
    words = caption.rstrip(" .").split()
    if kind == "reversed":
        return " ".join(reversed(words))
    if kind == "shuffled":
        return " ".join(chance.sample(words, len(words)))
    if kind == "doubled":
        return f"{caption} {caption}"
    if kind == "one word":
        return max(chance.sample(words, min(3, len(words))), key=len, default="")
    return " ".join(references) if kind == "joined" else ""


def _near(
    held: Sequence[Held], data: Images, library: Images | None, folder: Path, log: Log, settings: Settings
) -> Iterator[Candidate]:
    """From the sentence vectors: near captions of the library and of the data, and the blind captioner's."""
    chosen = {one.image for one in held}
    rest = {image: captions for image, captions in data.items() if image not in chosen}
    wanted = sentence_vectors([one.caption for one in held], folder, log)
    others = _Library({**{one.image: [one.caption] for one in held}, **_one_each(rest, settings)}, folder, log)
    if "flickr" in settings.pools:
        yield from _neighbours("flickr", held, wanted, others)
    if not {"coco", "blind"} & set(settings.pools):
        return
    sought = {image: captions[: settings.library] for image, captions in (library or rest or data).items()}
    known = _Library(sought, folder, log)
    if "coco" in settings.pools:
        yield from _neighbours("coco", held, wanted, known)
    if "blind" in settings.pools:
        tokens = [ptb.tokenize(caption) for caption in pace.each(known.captions)]
        log(f"blind captioner: {len(tokens):,} captions to learn from")
        model, lexicon = captioner.train(tokens, known.vectors, known.images, folder, log, settings.captioner)
        for noise in NOISES:
            texts = captioner.write(model, lexicon, wanted, noise, settings.captioner)
            for one, text in zip(held, texts, strict=True):
                yield Candidate(one.image, "blind", f"noise {noise}", text, one.others)


class _Library:
    def __init__(self, images: Images, folder: Path, log: Log) -> None:
        self.names = list(images)
        pairs = [(number, caption) for number, image in enumerate(self.names) for caption in images[image]]
        self.images: Ints = np.array([number for number, _ in pairs], dtype=np.int64)
        self.captions = [caption for _, caption in pairs]
        self.vectors: Vectors = sentence_vectors(self.captions, folder, log)


def _one_each(images: Images, settings: Settings) -> dict[str, list[str]]:
    """One caption of each image is enough to find near ones."""
    chance = random.Random(settings.seed + 2)
    return {image: [chance.choice(list(captions))] for image, captions in images.items()}


def _neighbours(pool: str, held: Sequence[Held], wanted: Vectors, library: _Library) -> Iterator[Candidate]:
    numbers = {name: number for number, name in enumerate(library.names)}
    own = np.array([numbers.get(one.image, -1) for one in held], dtype=np.int64)
    rows = near_ranks(wanted, library.vectors, library.images, own, RANKS)
    for one, near in zip(held, rows.tolist(), strict=True):
        for rank, row in zip(RANKS, near, strict=True):
            yield Candidate(one.image, pool, f"rank {rank}", library.captions[row], one.others)


def _perturbed(held: Sequence[Held], data: Images, log: Log, settings: Settings) -> Iterator[Candidate]:
    counts = {"faults": settings.faults, "distractors": settings.distractors}
    families = [family for family in counts if family in settings.pools and counts[family]]
    if not families:
        return
    chance = random.Random(settings.seed + 3)
    corpus = [CaptionItem(image, captions[0]) for image, captions in list(data.items())[:6_000]]
    for start in range(0, len(held), PERTURBED_AT_ONCE):
        part = held[start : start + PERTURBED_AT_ONCE]
        items = [CaptionItem(one.image, one.caption, one.others) for one in part]
        variants = perturb(items, families, seed=settings.seed, corpus=corpus)
        for family in families:
            made: dict[int, list[tuple[str, str]]] = {}
            for variant in variants:
                if KINDS[variant.kind].family == family:
                    made.setdefault(variant.item, []).append((variant.kind, variant.text))
            for row, texts in sorted(made.items()):
                for kind, text in chance.sample(texts, min(counts[family], len(texts))):
                    yield Candidate(part[row].image, family, kind, text, part[row].others)
        log(f"faults and distractors of {start + len(part):,} images")
