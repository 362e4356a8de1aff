"""SPICE: what candidate and references say of objects, attributes and relations, compared as scene graphs.

Paper:     Anderson, Fernando, Johnson and Gould 2016, "SPICE: Semantic Propositional Image Caption Evaluation".
Reference: SPICE 1.0 (Java, CoreNLP 3.6.0). Its rules are followed exactly (tests/golden/spice_rules.json): given the
           original's parses every score is the original's. The parses come from our own caption parser, which learned
           from the original's (data/caption_parser.md says how close it comes); the signature names it.
Range:     0 to 1, higher is better. (Several candidate tuples may match one reference tuple, so a contrived caption
           can pass 1, in the original too; below 2.) Corpus score: mean of the segments.

Where the original breaks a tie between equally similar words at random, the oldest wins here (see scene.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from capeval_core.metrics.spice import score as rules
from capeval_core.metrics.spice.scene import Scene
from capeval_core.metrics.spice.score import CATEGORIES, Match, SceneTuple, Tuples
from capeval_core.metrics.spice.tuples import propose
from capeval_core.option_fields import Checked
from capeval_core.shared import Shared
from capeval_core.text.parse import Parse
from capeval_core.text.unknown import Unknown
from capeval_core.types import Array, CaptionItem, Explanation, MetricResult, StandIn

PARSER = StandIn(
    "stand-in",
    "CapEval's caption parser",
    "Stanford CoreNLP's parser",
    "CapEval runs no Java: use SPICE 1.0 itself. How close the parser comes is in capeval_core/data/caption_parser.md",
)
NOTHING = "The parser found no object in the candidate, so there is nothing to match: SPICE is 0."


@dataclass(frozen=True, slots=True)
class Options(Checked):
    """SPICE has no settings."""


@dataclass(frozen=True, slots=True)
class SceneObject:
    words: tuple[str, ...]  # more than one where synonyms were merged
    matched: bool
    attributes: tuple[tuple[tuple[str, ...], bool], ...]  # words, matched


@dataclass(frozen=True, slots=True)
class SceneRelation:
    subject: int  # place in the graph's objects
    words: tuple[str, ...]
    object: int
    matched: bool


@dataclass(frozen=True, slots=True)
class SceneGraph:
    objects: tuple[SceneObject, ...]
    relations: tuple[SceneRelation, ...]


@dataclass(frozen=True, slots=True)
class SpiceCategory:
    """Counts and measures of one kind of tuple; NaN where the references have none of it."""

    name: str
    matched: int
    candidate: int
    references: int
    precision: float
    recall: float
    f_score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SpiceExplanation(Explanation):
    candidate_graph: SceneGraph
    reference_graph: SceneGraph  # of all references together
    candidate_tuples: tuple[SceneTuple, ...]  # matched, or extra
    reference_tuples: tuple[SceneTuple, ...]  # matched, or missed
    matches: tuple[Match, ...]  # through which word or synset
    categories: tuple[SpiceCategory, ...]  # "All" first
    candidate_parse: tuple[Parse, ...]
    reference_parses: tuple[tuple[Parse, ...], ...]


class Spice:
    def __init__(self, options: Options, shared: Shared) -> None:
        self.options = options
        self.shared = shared

    def _tuples(self, captions: Sequence[str]) -> dict[str, Tuples]:
        texts = {caption: self.shared.tokens(caption) for caption in captions}
        spelled = {text: caption for caption, text in texts.items()}  # one caption for each distinct text
        parses = self.shared.track("SPICE", self.shared.parses(spelled.values()), len(spelled))
        tuples = {text: propose(sentences) for text, sentences in zip(spelled, parses, strict=True)}
        return {caption: tuples[text] for caption, text in texts.items()}

    def _statistics(self, items: Sequence[CaptionItem]) -> Array:
        """(items, 21): matched, candidate and reference tuples of each category."""
        tuples = self._tuples([text for item in items for text in (item.candidate, *item.references)])
        candidates = [tuples[item.candidate] for item in items]
        # References keep their order: it decides what merges with what.
        references = [tuple(tuples[text] for text in item.references) for item in items]
        return rules.statistics(candidates, references).reshape(len(items), -1)

    def score(self, items: Sequence[CaptionItem]) -> MetricResult:
        stats = self.shared.once("spice", items, lambda: self._statistics(items))
        empty = np.flatnonzero(stats[:, 1] == 0).tolist()
        return MetricResult({"spice": f_scores(stats)[:, 0]}, stats, notes=dict.fromkeys(empty, NOTHING))

    def corpus(self, statistics: Array) -> dict[str, float]:
        return {"spice": float(f_scores(statistics)[:, 0].mean())}

    def unknown(self, caption: str) -> Unknown:
        from capeval_core.resources import device
        from capeval_core.resources.caption_parser import caption_parser

        parser = caption_parser(device.choose(self.shared.device))
        words = [word for word in self.shared.tokens(caption).split() if word.isalpha()]
        return Unknown(sum(not parser.knows(word) for word in words), len(words), "the caption parser")

    def stand_in(self, key: str) -> StandIn | None:
        return PARSER

    def explain(self, item: CaptionItem, key: str) -> SpiceExplanation:
        tuples = self._tuples([item.candidate, *item.references])
        found = rules.explain(tuples[item.candidate], tuple(tuples[text] for text in item.references))
        counts = np.array(list(found.counts.values()), dtype=np.float64)
        measures = np.column_stack(rules.measures(counts))
        parses = self.shared.parses([item.candidate, *item.references])
        return SpiceExplanation(
            value=float(measures[0, 2]),
            candidate_graph=_graph(found.candidate_scene, [part.matched for part in found.candidate]),
            reference_graph=_graph(found.reference_scene, [part.matched for part in found.references]),
            candidate_tuples=found.candidate,
            reference_tuples=found.references,
            matches=found.matches,
            categories=tuple(
                SpiceCategory(name, *found.counts[name], *map(float, row))
                for name, row in zip(CATEGORIES, measures, strict=True)
            ),
            candidate_parse=parses[0],
            reference_parses=tuple(parses[1:]),
            note="" if found.candidate else NOTHING,
        )


def f_scores(stats: Array) -> Array:
    """(items, 21) counts -> (items, 7) F-scores."""
    return rules.measures(stats.reshape(len(stats), len(CATEGORIES), 3))[2]


def _graph(scene: Scene, matched: Sequence[bool]) -> SceneGraph:
    """`matched` follows Scene.tuples(): objects, attributes, relations."""
    flags = iter(matched)
    objects = [(concept, next(flags)) for concept in scene.objects]
    attributes: list[list[tuple[tuple[str, ...], bool]]] = [[] for _ in objects]
    for place, concept in scene.attributes:
        attributes[place].append((concept.words, next(flags)))
    relations = [SceneRelation(s, concept.words, o, next(flags)) for s, concept, o in scene.relations]
    shown = [SceneObject(c.words, hit, tuple(own)) for (c, hit), own in zip(objects, attributes, strict=True)]
    return SceneGraph(tuple(shown), tuple(relations))
