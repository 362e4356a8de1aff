"""Trains NNEval: candidates from caption files, their scores by every feature, then the network.

Everything that takes long is kept in the working folder `<out>.work/`: candidates, sentence vectors, scores, and the
network after each epoch. A run that was stopped goes on there, to the same end as an unbroken one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import stats  # type: ignore[import-untyped]

from capeval_core.errors import InvalidInput
from capeval_core.metrics.nneval import CURVES, FEATURES
from capeval_core.resources import score_network
from capeval_core.resources.score_network import ScoreNetwork
from capeval_core.training import nneval_candidates as candidates
from capeval_core.training import nneval_card, nneval_features, nneval_fit
from capeval_core.training.nneval_candidates import HUMAN, Candidate, Images
from capeval_core.training.nneval_checkpoint import Checkpoint, Epoch
from capeval_core.training.nneval_sentences import Log
from capeval_core.types import Array, CaptionItem

HELD_OUT = 0.2  # of the images
SMALL_SHARES = {"flickr": 1.0, "random": 0.5, "faults": 0.5, "fooling": 0.3}
OnEpoch = Callable[[Epoch], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is trained. `features`: metric keys, some or all of those the key may have."""

    key: str = "nneval"
    features: tuple[str, ...] = ()
    candidates: candidates.Settings = field(default_factory=candidates.Settings)
    fit: nneval_fit.Settings = field(default_factory=nneval_fit.Settings)

    @property
    def inputs(self) -> tuple[str, ...]:
        return self.features or FEATURES[self.key]


def small_plan(key: str = "nneval", variant: str = "free") -> Plan:
    """A run of well under a minute on a few hundred images: nothing that needs other data or a captioner."""
    pools = ("flickr", "random", "faults", "fooling")
    return Plan(
        key,
        candidates=candidates.Settings(images=300, pools=pools),
        fit=replace(nneval_fit.recipe(key, variant, SMALL_SHARES), epochs=15, seeds=1),
    )


@dataclass(frozen=True, eq=False)
class Judged:
    """Captions with people's ratings, for early stopping; one row for each rating."""

    items: Sequence[CaptionItem]
    rows: npt.NDArray[np.int64]  # which item each rating is of
    ratings: Array


@dataclass(frozen=True, eq=False)
class TrainingSet:
    values: Array  # (candidates, features)
    pools: npt.NDArray[np.str_]
    kinds: npt.NDArray[np.str_]
    held_out: npt.NDArray[np.bool_]
    judged: Array | None = None  # (judged items, features)

    @property
    def human(self) -> Array:
        return np.asarray(self.pools == HUMAN, dtype=np.float64)


def train(
    data: Images,
    out: Path,
    *,
    library: Images | None = None,
    judged: Judged | None = None,
    plan: Plan | None = None,
    device: str = "auto",
    work: Path | None = None,
    log: Log = print,
    on_epoch: OnEpoch | None = None,
) -> ScoreNetwork:
    """Write `out` (.safetensors) and a model card beside it. `library`: captions of other images (COCO's) to seek near
    ones in. `work`: another working folder."""
    plan = plan or Plan()
    folder = work or out.with_suffix(".work")
    made = prepare(data, folder, library=library, judged=judged, plan=plan, device=device, log=log)
    found = fit(made, plan, judged, folder, log=log, on_epoch=on_epoch)
    score_network.write([found], out)
    out.with_suffix(".md").write_text(nneval_card.text(found, plan.candidates), encoding="utf-8")
    return found


def prepare(
    data: Images,
    folder: Path,
    *,
    library: Images | None,
    judged: Judged | None,
    plan: Plan,
    device: str = "auto",
    log: Log,
) -> TrainingSet:
    made = candidates.build(data, library, folder, log, plan.candidates)
    scores = folder / "features"
    values = nneval_features.score([one.item for one in made], plan.inputs, scores, log, device)
    beside = None
    if judged is not None:
        beside = nneval_features.score(judged.items, plan.inputs, scores, log, device)
    return TrainingSet(
        values,
        np.array([one.pool for one in made]),
        np.array([one.kind for one in made]),
        held_out(made),
        beside,
    )


def held_out(made: Sequence[Candidate]) -> npt.NDArray[np.bool_]:
    """The last fifth of the images; they lie in a random order."""
    images = {image: number for number, image in enumerate(dict.fromkeys(one.image for one in made))}
    return np.array([images[one.image] >= len(images) * (1 - HELD_OUT) for one in made], dtype=bool)


def fit(
    made: TrainingSet,
    plan: Plan,
    judged: Judged | None = None,
    folder: Path | None = None,
    *,
    log: Log = print,
    on_epoch: OnEpoch | None = None,
) -> ScoreNetwork:
    """The best network of all seeds and epochs by the validation figure: Kendall's tau-c with people's ratings where
    there are any, else how well held-out images' captions are told apart (area under the curve)."""
    if not np.isfinite(made.values).all():
        raise InvalidInput("a feature of a training caption has no value", expected="finite scores")
    empty = _empty(made, plan)
    inputs, chances = empty.scaled(made.values), drawing(made, plan.fit)
    rows = np.flatnonzero(~made.held_out)
    checkpoint = Checkpoint(folder, plan.fit, plan.inputs, len(rows))
    while not checkpoint.finished:
        state = checkpoint.state or nneval_fit.start(inputs[rows], plan.fit, checkpoint.seed)
        human = made.human[rows]
        loss = nneval_fit.one_epoch(
            state, inputs[rows], human, chances[rows], plan.fit, checkpoint.seed, checkpoint.epoch
        )
        now = _with(empty, state.weights)
        figure = agreement(now, made, judged) if judged is not None else area(now, made, plan.fit)
        epoch = checkpoint.add(state, loss, figure)
        log(f"seed {epoch.seed + 1} epoch {epoch.epoch + 1}: loss {loss:.4f}, {measure(judged)} {figure:.4f}")
        if on_epoch:
            on_epoch(epoch)
    found = _with(empty, checkpoint.best)
    figures = {
        measure(judged): checkpoint.best_figure,
        "area under the curve, held-out images": area(found, made, plan.fit),
        "human or machine, held-out images": told_apart(found, made, plan.fit),
    }
    facts = {"figures": figures, "fit": asdict(plan.fit), "captions": len(rows), "epoch": checkpoint.best_epoch}
    return _with(empty, checkpoint.best, facts)


def measure(judged: Judged | None) -> str:
    return "tau-c with people" if judged is not None else "area under the curve"


def drawing(made: TrainingSet, settings: nneval_fit.Settings) -> Array:
    """How often each machine caption that is learned from is drawn; a pool (or pool:kind) counts as a whole by its
    share."""
    found = np.zeros(len(made.pools))
    for name, share in settings.shares.items():
        pool, _, kind = name.partition(":")
        rows = (made.pools == pool) & ~made.held_out
        rows &= (made.kinds == kind) if kind else ~np.isin(made.kinds, _apart(pool, settings))
        if rows.any():
            found[rows] = share / rows.sum()
    if not found.any():
        raise InvalidInput("no machine captions to learn from", expected=f"some of {', '.join(settings.shares)}")
    return np.asarray(found / found.sum())


def _apart(pool: str, settings: nneval_fit.Settings) -> list[str]:
    """Kinds of a pool with a share of their own."""
    return [name.partition(":")[2] for name in settings.shares if name.startswith(f"{pool}:")]


def _empty(made: TrainingSet, plan: Plan) -> ScoreNetwork:
    """All but the weights: how the features are scaled, what people's captions have."""
    curves = tuple(CURVES.get(key, "") for key in plan.inputs)
    rows = np.flatnonzero(~made.held_out)
    curved = np.column_stack(
        [score_network.CURVES[curve](column) for curve, column in zip(curves, made.values[rows].T, strict=True)]
    )
    low, high = curved.min(axis=0), curved.max(axis=0)
    high = np.where(high > low, high, low + 1)
    chances = drawing(made, plan.fit)[rows]
    inputs = 2 * (curved - low) / (high - low) - 1
    human = made.human[rows] == 1
    people = made.values[rows][human]
    centre = (inputs[human].mean(axis=0) + chances @ inputs) / 2
    return ScoreNetwork(
        plan.key, plan.fit.variant, plan.inputs, curves, low, high, centre, people.mean(0), people.std(0), (), {}
    )


def _with(empty: ScoreNetwork, weights: nneval_fit.Weights, facts: dict[str, object] | None = None) -> ScoreNetwork:
    layers = tuple(
        (weights[f"weight {number}"].copy(), weights[f"bias {number}"].copy())
        for number in range(1, nneval_fit.LAYERS + 1)
    )
    parts = {name: getattr(empty, name) for name in (*score_network.TABLES, "family", "variant", "features", "curves")}
    return ScoreNetwork(layers=layers, facts=facts or {}, **parts)


def agreement(network: ScoreNetwork, made: TrainingSet, judged: Judged | None) -> float:
    """Kendall's tau-c with every single rating."""
    if judged is None or made.judged is None:
        return float("nan")
    values = network.log_odds(network.scaled(made.judged))[judged.rows]
    if np.ptp(values) == 0:
        return 0.0
    return float(stats.kendalltau(values, judged.ratings, variant="c").statistic)


def _held(made: TrainingSet, settings: nneval_fit.Settings) -> npt.NDArray[np.bool_]:
    pools = [HUMAN, *(name.partition(":")[0] for name, share in settings.shares.items() if share)]
    return made.held_out & np.isin(made.pools, pools)


def area(network: ScoreNetwork, made: TrainingSet, settings: nneval_fit.Settings) -> float:
    """How often a held-out person's caption scores above a machine one (ties half)."""
    rows = _held(made, settings)
    values, human = network.log_odds(network.scaled(made.values[rows])), made.human[rows] == 1
    ranks = stats.rankdata(values)
    people, machines = human.sum(), (~human).sum()
    if not people or not machines:
        return float("nan")
    return float((ranks[human].sum() - people * (people + 1) / 2) / (people * machines))


def told_apart(network: ScoreNetwork, made: TrainingSet, settings: nneval_fit.Settings) -> float:
    """Share of held-out captions on the right side of one half, both classes weighing the same."""
    rows = _held(made, settings)
    human = made.human[rows] == 1
    said = network.log_odds(network.scaled(made.values[rows])) > 0
    return float((said[human].mean() + (~said[~human]).mean()) / 2)
