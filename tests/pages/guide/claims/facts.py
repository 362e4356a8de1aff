"""What a check looks at: live scores and evidence, a guide's example, the measured figures."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np

from capeval_core import CaptionItem, Explanation, evaluate, explain, registry
from pages.guide import guides
from pages.work import samples


@cache
def value(key: str, candidate: str, *references: str, **options: Any) -> float:
    """`options`: of the metric itself."""
    chosen = {registry.get(key).metric: options} if options else None
    found = evaluate([CaptionItem("x", candidate, references)], [key], options=chosen)
    return float(found.scores[key][0])


@cache
def note(key: str, candidate: str, *references: str) -> str:
    return evaluate([CaptionItem("x", candidate, references)], [key]).notes[key].get(0, "")


@cache
def why(key: str, candidate: str, *references: str) -> Any:
    found: Explanation = explain(CaptionItem("x", candidate, references), key)
    return found


def toy(metric: str, key: str = "") -> tuple[float, float]:
    """The two scores of a guide's example."""
    guide = guides.guide(metric)
    one, two = (value(key or metric, caption, *guide.references) for caption in guide.captions)
    return one, two


def toy_why(metric: str, letter: str, key: str = "") -> Any:
    guide = guides.guide(metric)
    return why(key or metric, guide.captions["AB".index(letter)], *guide.references)


def moved(key: str, kind: str) -> float:
    """The relative change of the mean score, as the Guide's table shows it."""
    found: float = guides.measured()["sensitivity"]["values"][key][kind]["change"]
    return found


def people(key: str, which: str = "median") -> float:
    found: float = guides.measured()["human"]["values"][key][which]
    return found


@cache
def strangers(key: str) -> float:
    """The mean score of captions against the references of another image."""
    scenes = samples.samples()
    pairs = itertools.pairwise(scenes)
    items = [CaptionItem(one.id, one.candidates["careful"], other.references) for one, other in pairs]
    return float(np.mean(evaluate(items, [key]).scores[key]))


@cache
def at_home(key: str) -> list[tuple[float, float]]:
    """For each image a caption's score against its own references and against another image's."""
    scenes = samples.samples()
    own = [CaptionItem(one.id, one.candidates["careful"], one.references) for one in scenes]
    away = [
        CaptionItem(one.id, one.candidates["careful"], other.references)
        for one, other in zip(scenes, [*scenes[1:], scenes[0]], strict=True)
    ]
    found = evaluate([*own, *away], [key]).scores[key].tolist()
    return list(zip(found[: len(own)], found[len(own) :], strict=True))
