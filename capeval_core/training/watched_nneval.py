"""NNEval in a run that people watch: a few hundred captions, people's and wrong ones, scored by its features."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from capeval_core.errors import CapEvalError
from capeval_core.perturb import KINDS
from capeval_core.resources import score_network, trained
from capeval_core.resources.score_network import ScoreNetwork
from capeval_core.training import nneval, nneval_candidates, nneval_fit, nneval_measures
from capeval_core.training.nneval import TrainingSet
from capeval_core.training.nneval_candidates import HUMAN, Candidate
from capeval_core.training.nneval_checkpoint import Epoch
from capeval_core.training.watched import IMAGES, Captions, Learned, Plan, Point, Watched, within
from capeval_core.types import Progress

FAMILY = "nneval"
POOLS = ("flickr", "random", "faults", "distractors", "fooling")  # what can be made of the captions alone, and soon
FOR_EACH = 12  # captions that are looked through for each image that is learned from
HEADS = ("a caption of an image it has not seen", "made by", "your model: P(human)", "the shipped one")
WORDS = {"flickr": "another image, near", "random": "another image", "human": "a person"}


def learn(plan: Plan, captions: Captions, watched: Watched, progress: Progress, folder: Path) -> Learned:
    began = time.monotonic()
    wanted = nneval.Plan(
        candidates=nneval_candidates.Settings(images=IMAGES[plan.size], pools=POOLS, seed=plan.seed),
        fit=nneval_fit.Settings(variant=plan.variant, epochs=plan.epochs, seeds=1, seed=plan.seed),
    )

    def log(line: str) -> None:
        progress(line, 0, 0)

    progress("making wrong captions", 0, 0)
    some = within(captions, FOR_EACH * IMAGES[plan.size], plan.seed)
    made = nneval.prepare(some, folder, library=None, judged=None, plan=wanted, log=log)
    candidates = nneval_candidates.build(some, None, folder, log, wanted.candidates)  # kept: read again
    shipped = _shipped(plan.variant)
    watched.chance |= {"area": 0.5, "told apart": 0.5}
    watched.shipped |= judge(shipped, made, wanted) if shipped else {}
    watched.counts |= counts(candidates, made)

    def on_epoch(epoch: Epoch) -> None:
        watched.points.append(Point(epoch.epoch + 1, {"loss": epoch.loss}, {"area": epoch.figure}))
        progress(f"epoch {epoch.epoch + 1} of {plan.epochs}", epoch.epoch + 1, plan.epochs)

    own = nneval.fit(made, wanted, log=lambda line: None, on_epoch=on_epoch)
    out = folder / "model.safetensors"
    score_network.write([own], out)
    best = max(watched.points, key=lambda point: point.figures["area"])
    return Learned(
        plan, dict(watched.counts), tuple(watched.points), round(best.at), judge(own, made, wanted),
        dict(watched.shipped), dict(watched.chance), HEADS if shipped else HEADS[:3],
        _examples(candidates, made, own, shipped), time.monotonic() - began, out.read_bytes(),
    )  # fmt: skip


def judge(network: ScoreNetwork, made: TrainingSet, plan: nneval.Plan) -> dict[str, float]:
    return {
        "area": nneval_measures.area(network, made, plan.fit),
        "told apart": nneval_measures.told_apart(network, made, plan.fit),
    }


def counts(candidates: list[Candidate], made: TrainingSet) -> dict[str, int]:
    back = {one.image for one, held in zip(candidates, made.held_out.tolist(), strict=True) if held}
    images = {one.image for one in candidates}
    return {
        "images": len(images) - len(back),
        "captions": int((~made.held_out).sum()),
        "people's": int(((made.pools == HUMAN) & ~made.held_out).sum()),
        "held back": len(back),
    }


def _shipped(variant: str) -> ScoreNetwork | None:
    try:
        return score_network.open_network(FAMILY, trained.SHIPPED, variant) if trained.has_shipped(FAMILY) else None
    except (CapEvalError, KeyError):  # none on this machine
        return None


def _examples(
    candidates: list[Candidate], made: TrainingSet, own: ScoreNetwork, shipped: ScoreNetwork | None
) -> tuple[tuple[str, ...], ...]:
    """A held-back caption of each kind, a person's first, with what the models make of it."""
    chosen: dict[str, int] = {}
    for row in np.flatnonzero(made.held_out).tolist():
        if candidates[row].text:
            chosen.setdefault(candidates[row].pool, row)
    rows = sorted(chosen.values(), key=lambda row: candidates[row].pool != HUMAN)
    said = [one.probability(made.values[rows]) for one in (own, shipped) if one is not None]
    return tuple(
        (candidates[row].text, _words(candidates[row]), *(f"{values[place]:.2f}" for values in said))
        for place, row in enumerate(rows)
    )


def _words(candidate: Candidate) -> str:
    kind = KINDS[candidate.kind].label.lower() if candidate.kind in KINDS else candidate.kind
    return WORDS.get(candidate.pool, f"spoiled: {kind}")
