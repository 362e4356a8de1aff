"""I2CE in a run that people watch."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from pathlib import Path

from capeval_core.errors import CapEvalError
from capeval_core.resources import sentence_model, trained
from capeval_core.resources.sentence_model import FAMILY, SentenceModel
from capeval_core.training import i2ce
from capeval_core.training import i2ce_data as data
from capeval_core.training.i2ce_validation import validate_model
from capeval_core.training.watched import READ, Captions, Learned, Plan, Point, Watched, within
from capeval_core.types import Progress

UNITS = {"small": (96, 128), "medium": (160, 256)}  # a word's vector, a caption's vector
BATCH = 64
RATE = 3e-3  # few steps: each must count
HELD_BACK, MOST_HELD_BACK = 0.2, 200  # of the images
EXAMPLES = 5
HEADS = ("a caption it has not seen", "rebuilt by your model", "by the shipped one")


def learn(plan: Plan, captions: Captions, watched: Watched, progress: Progress, folder: Path) -> Learned:
    began = time.monotonic()
    learned, held = split(within(captions, READ // plan.epochs, plan.seed))
    data.enough(learned)
    texts = data.tokenized(held)
    data.enough_to_validate(texts)
    progress("measuring the shipped model", 0, 0)
    shipped = _shipped()
    watched.chance["retrieval"] = _by_chance(texts)
    watched.shipped |= validate_model(shipped, held) if shipped else {}
    embedding, hidden = UNITS[plan.size]
    settings = i2ce.Settings(
        variant=plan.variant, epochs=plan.epochs, seed=plan.seed, batch=BATCH, learning_rate=RATE, embedding=embedding,
        hidden=hidden,
    )  # fmt: skip
    out = folder / "model.safetensors"

    def report(now: i2ce.Report) -> None:
        watched.points.append(Point(now.step * now.epochs / now.steps, dict(now.losses), dict(now.validation)))
        progress(f"epoch {now.epoch} of {now.epochs}", now.step, now.steps)

    made = i2ce.train(learned, out, settings, validation=held, on_report=report)
    watched.counts |= made.learned_from
    own = sentence_model.load(out)
    return Learned(
        plan, dict(made.learned_from), tuple(watched.points), made.epoch, validate_model(own, held),
        dict(watched.shipped), dict(watched.chance), HEADS if shipped else HEADS[:2], _examples(texts, own, shipped),
        time.monotonic() - began, out.read_bytes(),
    )  # fmt: skip


def split(captions: Captions) -> tuple[dict[str, Sequence[str]], dict[str, Sequence[str]]]:
    """To learn from, to validate on; by a hash of the images' names, so the same whoever asks."""
    order = sorted(captions, key=lambda image: hashlib.sha256(image.encode(errors="replace")).digest())
    back = set(order[: min(MOST_HELD_BACK, round(HELD_BACK * len(order)))])
    return {i: captions[i] for i in captions if i not in back}, {i: captions[i] for i in captions if i in back}


def _shipped() -> SentenceModel | None:
    try:
        return sentence_model.open_model(trained.SHIPPED) if trained.has_shipped(FAMILY) else None
    except (CapEvalError, KeyError):  # none on this machine
        return None


def _by_chance(texts: dict[str, list[list[str]]]) -> float:
    """How often the nearest caption would be of the same image if it were drawn at random."""
    counts = [len(one) for one in texts.values()]
    total, asked = sum(counts), sum(count for count in counts if count > 1)
    return sum(count * (count - 1) for count in counts) / max(asked * (total - 1), 1)


def _examples(
    texts: dict[str, list[list[str]]], own: SentenceModel, shipped: SentenceModel | None
) -> tuple[tuple[str, ...], ...]:
    """A caption of each of the first images, as each model writes it again from its vector."""
    some = [captions[0] for captions in list(texts.values())[:EXAMPLES]]
    columns = [[" ".join(words) for words in some]]
    for model in (own, shipped):
        if model is not None:
            columns.append([" ".join(words) for words in model.rebuild(model.read(some), 25)])
    return tuple(zip(*columns, strict=True))
