"""Fits the estimate of the paper's MIMA and SPURTS from MiniLM: `train(data, out)` writes the model and its card.

Kernel ridge regression, both targets at once. The figures come from folds that keep an image's captions together; the
model that ships is then fitted on all of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from capeval_core.metrics.typicality.estimate import VECTOR_LAYERS, Estimator, features
from capeval_core.metrics.typicality.information_flow import FORMULAS, prepare
from capeval_core.metrics.typicality.reliability import ABOUT, NAME, Reliability
from capeval_core.metrics.typicality.source import KEYS
from capeval_core.resources.transformer import PACKAGED
from capeval_core.training import flow_estimate_card
from capeval_core.training import flow_estimate_error as errors
from capeval_core.training.flow_estimate_error import Bools, Changed, Found, HeldOut
from capeval_core.training.flow_estimate_fit import Published, Settings, fit, read_published, run, tensors
from capeval_core.types import Array

SPARCS_MEAN = 0.400853  # people's: of a change of style and grammar SMURF's other part is no part
OFF, LEFT_OUT = "largest error of a captioner's mean", " left out of training"
# Captions in; by kind of change (capeval_core.perturb) each caption that could be changed, with the changed one.
Change = Callable[[Sequence[str]], Mapping[str, Sequence[tuple[str, str]]]]
CHANGED = 300  # captions by people that are changed for the card


def train(
    data: Path,
    out: Path,
    *,
    seed: int = 1,
    settings: Settings | None = None,
    change: Change | None = None,
    log: Callable[[str], None] = print,
) -> dict[str, float]:
    """Fit on the published values in `data`; write `out` (.safetensors) and a model card beside it; return figures.

    With `change` the card also says what the estimate makes of changed captions.
    """
    settings = replace(settings or Settings(), seed=seed)
    published = read_published(data)
    groups = features(run(published.captions, log))
    held = over_folds(groups, published, image_folds(published, settings), settings)
    figures = dict(cross_validate(groups, published, held, settings))
    for name, value in figures.items():
        log(f"{name} {value:.4f}")
    found = fit(groups, published.targets, published.captions, settings)
    changes = found_changes(groups, published, settings)
    known = errors.reliability(held, published.targets, published.sparcs, changes, mean_errors(figures))
    card = flow_estimate_card.text(
        data.name,
        len(published.captions),
        ", ".join(str(layer + 1) for layer in VECTOR_LAYERS),
        asdict(settings),
        figures,
        human_standards(published),
        flow_estimate_card.errors_text(known, changes, changed_captions(published, found, known, change, log)),
    )
    write(found, known, settings, out)
    out.with_suffix(".md").write_text(card, encoding="utf-8")
    return figures


def write(found: Estimator, known: Reliability, settings: Settings, out: Path) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    # One entry: safetensors writes several in any order, and the same model should be the same file.
    about = {"settings": asdict(settings), NAME: asdict(known)}
    save_file(tensors(found), out, metadata={ABOUT: json.dumps(about)})


def held_out(groups: dict[str, Array], published: Published, test: Bools, settings: Settings) -> tuple[Array, Array]:
    """Estimates for the `test` captions by a model that saw only the others, and how like those they are."""
    train_rows = np.flatnonzero(~test)
    found = fit(
        {name: group[train_rows] for name, group in groups.items()},
        published.targets[train_rows],
        [published.captions[row] for row in train_rows],
        settings,
    )
    return found.compare({name: group[test] for name, group in groups.items()})


def over_folds(groups: dict[str, Array], published: Published, folds: Sequence[Bools], settings: Settings) -> HeldOut:
    estimates, likeness = np.empty_like(published.targets), np.empty(len(published.targets))
    new = np.zeros(len(published.targets), dtype=bool)
    texts = np.array([prepare(caption) for caption in published.captions])
    for test in folds:
        estimates[test], likeness[test] = held_out(groups, published, test, settings)
        new |= test & ~np.isin(texts, texts[~test])
    return HeldOut(estimates, likeness, new)


def image_folds(published: Published, settings: Settings) -> list[Bools]:
    """Whole images: no image has captions on both sides."""
    images, image = np.unique(published.images, return_inverse=True)
    fold = np.random.default_rng(settings.seed).permutation(len(images)) % settings.folds
    return [fold[image] == number for number in range(settings.folds)]


def cross_validate(
    groups: dict[str, Array], published: Published, held: HeldOut, settings: Settings
) -> Iterator[tuple[str, float]]:
    yield from agreement(held.estimates, published, np.ones(len(published.targets), dtype=bool))
    for name, value in agreement(held.estimates, published, held.new):
        yield f"{name}, captions never seen in training", value
    for system in sorted(set(published.systems.tolist())):
        rows = published.systems == system
        alone = np.empty_like(published.targets)
        alone[rows], _ = held_out(groups, published, rows, settings)
        for name, value in agreement(alone, published, rows):
            yield f"{name}, {system}{LEFT_OUT}", value


def agreement(estimates: Array, published: Published, rows: Bools) -> Iterator[tuple[str, float]]:
    """Correlation with the published values, and how far a captioner's mean is off at most."""
    truth = errors.with_smurf(published.targets, published.sparcs)[rows]
    made = errors.with_smurf(np.where(rows[:, None], estimates, 0.0), published.sparcs)[rows]
    for column, key in enumerate(errors.METRICS):
        yield f"r {key}", float(np.corrcoef(made[:, column], truth[:, column])[0, 1])
    systems = published.systems[rows]
    off = np.array([(made - truth)[systems == system].mean(axis=0) for system in sorted(set(systems.tolist()))])
    for column, key in enumerate(errors.METRICS):
        yield f"{OFF}, {key}", float(np.abs(off[:, column]).max())


def mean_errors(figures: Mapping[str, float]) -> dict[str, float]:
    """By metric the largest error of a captioner's mean when none of its captions was learned from."""
    return {
        key: max(value for name, value in figures.items() if name.startswith(f"{OFF}, {key}, ") and LEFT_OUT in name)
        for key in errors.METRICS
    }


def found_changes(groups: dict[str, Array], published: Published, settings: Settings) -> dict[str, Found]:
    """For each way in which two published captions differ, how much of the true change the estimate finds."""
    texts = np.array([prepare(caption) for caption in published.captions])
    _, first = np.unique(texts, return_index=True)
    words = [tuple(texts[row].split()) for row in range(len(texts))]
    distinct = [words[row] for row in first]
    truth = errors.with_smurf(published.targets, np.full(len(texts), SPARCS_MEAN))[first]
    made: dict[object, Array] = {}
    found = {}
    for name, (pairs, group) in errors.PAIRS.items():
        if group not in made:
            held = over_folds(groups, published, errors.folds_by(words, group, settings.folds), settings)
            made[group] = errors.with_smurf(held.estimates, np.full(len(texts), SPARCS_MEAN))[first]
        together = errors.folds_by(distinct, group, settings.folds)
        both = (pair for pair in pairs(distinct) if any(fold[list(pair)].all() for fold in together))
        found[name] = errors.found_changes(list(both), made[group], truth)
    return found


def changed_captions(
    published: Published, model: Estimator, known: Reliability, change: Change | None, log: Callable[[str], None]
) -> dict[str, Changed]:
    """What the estimate, and MiniLM itself, make of changed captions by people."""
    if change is None:
        return {}
    pairs = zip(published.captions, published.systems, strict=True)
    people = list(dict.fromkeys(caption for caption, system in pairs if system == "human"))[:CHANGED]
    made = {kind: pairs for kind, pairs in change(people).items() if pairs}
    texts = list(dict.fromkeys(text for pairs in made.values() for pair in pairs for text in pair))
    read = dict(zip(texts, run(texts, log), strict=True))
    return {
        kind: errors.change_of(
            [read[before] for before, _ in pairs], [read[after] for _, after in pairs], model, known.likeness
        )
        for kind, pairs in made.items()
    }


def human_standards(published: Published) -> dict[str, tuple[float, float]]:
    """Mean and standard deviation of the plain method on people's captions: SMURF's constants for model=minilm."""
    pairs = zip(published.captions, published.systems, strict=True)
    people = run([caption for caption, system in pairs if system == "human"], lambda line: None, PACKAGED)
    found = {key: np.array([FORMULAS[key](one.flows[key].heads) for one in people]) for key in KEYS}
    return {key: (float(values.mean()), float(values.std())) for key, values in found.items() if len(values)}
