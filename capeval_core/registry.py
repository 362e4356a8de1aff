"""The table of metrics. Labels, forms, tooltips, column order and the laws that tests check all come from here.

Importing this module loads no metric: `MetricSpec.load()` does, when one is asked for.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from capeval_core.errors import InvalidInput
from capeval_core.shared import Shared
from capeval_core.types import Array, CaptionItem, Explanation, MetricResult

GROUPS = ("n-gram", "scene graph", "embedding", "typicality", "learned")


class Metric(Protocol):
    """One metric. `options` is its frozen dataclass of plain values; one class may give several keys (BLEU: four)."""

    options: Any

    def __init__(self, options: Any, shared: Shared) -> None: ...

    def score(self, items: Sequence[CaptionItem]) -> MetricResult: ...

    def corpus(self, statistics: Array) -> dict[str, float]: ...

    def explain(self, item: CaptionItem, key: str) -> Explanation: ...


@dataclass(frozen=True, slots=True)
class MetricSpec:
    key: str
    metric: str  # the class behind it by name; one class may give several keys, with one set of options
    label: str
    group: str
    bounds: tuple[float, float]
    direction: str  # "higher" or "lower" is better
    needs_references: bool
    measures: str  # one line, for tooltips
    paper: str
    resources: tuple[str, ...]
    path: str  # "module:Class"; the module's Options and explanation stand beside it
    explanation: str
    tokenizer: str = "coco-ptb"
    parts: tuple[str, ...] = ()  # the metrics it is made of: it follows their options

    @property
    def behind(self) -> tuple[str, ...]:
        """The metrics whose options its score depends on."""
        return (*self.parts, self.metric)

    def module(self) -> Any:
        return importlib.import_module(f"capeval_core.metrics.{self.path.split(':')[0]}")

    def load(self) -> type[Metric]:
        found: type[Metric] = getattr(self.module(), self.path.split(":")[1])
        return found

    def holds(self, value: float) -> bool:
        """Is the value inside the stated bounds (rounding allowed), or undefined?"""
        return math.isnan(value) or self.bounds[0] - 1e-9 <= value <= self.bounds[1] + 1e-9


def _bleu(n: int) -> MetricSpec:
    return MetricSpec(
        key=f"bleu_{n}",
        metric="bleu",
        label=f"BLEU-{n}",
        group="n-gram",
        bounds=(0.0, 1.0),
        direction="higher",
        needs_references=True,
        measures=f"Share of the candidate's runs of 1 to {n} words that a reference has too, cut when it is too short"
        if n > 1
        else "Share of the candidate's words that a reference has too, cut when it is too short",
        paper="Papineni et al. 2002, BLEU: a Method for Automatic Evaluation of Machine Translation",
        resources=(),
        path="bleu:Bleu",
        explanation="BleuExplanation",
    )


_SPECS = {
    spec.key: spec
    for spec in (
        *map(_bleu, (1, 2, 3, 4)),
        MetricSpec(
            key="rouge_l",
            metric="rouge_l",
            label="ROUGE-L",
            group="n-gram",
            bounds=(0.0, 1.0),
            direction="higher",
            needs_references=True,
            measures="Longest sequence of words, gaps allowed, that candidate and a reference share",
            paper="Lin 2004, ROUGE: A Package for Automatic Evaluation of Summaries",
            resources=(),
            path="rouge_l:RougeL",
            explanation="RougeLExplanation",
        ),
        MetricSpec(
            key="meteor",
            metric="meteor",
            label="METEOR",
            group="n-gram",
            bounds=(0.0, 1.0),
            direction="higher",
            needs_references=True,
            measures="Words aligned to the best reference: equal, same stem, synonym or paraphrase; broken order costs",
            paper="Denkowski and Lavie 2014, Meteor Universal: Language Specific Translation Evaluation",
            resources=("meteor-jar", "meteor-paraphrases"),
            path="meteor:Meteor",
            explanation="MeteorExplanation",
        ),
        MetricSpec(
            key="cider",
            metric="cider",
            label="CIDEr",
            group="n-gram",
            bounds=(0.0, 10.0),
            direction="higher",
            needs_references=True,
            measures="Agreement with what most references say, rare n-grams weighing more (CIDEr-D, up to 10)",
            paper="Vedantam et al. 2015, CIDEr: Consensus-based Image Description Evaluation",
            resources=(),
            path="cider:Cider",
            explanation="CiderExplanation",
        ),
        MetricSpec(
            key="spice",
            metric="spice",
            label="SPICE",
            group="scene graph",
            bounds=(0.0, 1.0),
            direction="higher",
            needs_references=True,
            measures="Objects, attributes and relations that candidate and references both mention",
            paper="Anderson et al. 2016, SPICE: Semantic Propositional Image Caption Evaluation",
            resources=("caption-parser", "meteor-jar"),
            path="spice:Spice",
            explanation="SpiceExplanation",
        ),
        MetricSpec(
            key="spider",
            metric="spider",
            label="SPIDEr",
            group="scene graph",
            bounds=(0.0, 5.5),
            direction="higher",
            needs_references=True,
            measures="Mean of SPICE and CIDEr",
            paper="Liu et al. 2017, Improved Image Captioning via Policy Gradient optimization of SPIDEr",
            resources=("caption-parser", "meteor-jar"),
            path="spider:Spider",
            explanation="SpiderExplanation",
            parts=("spice", "cider"),
        ),
        MetricSpec(
            key="wmd",
            metric="wmd",
            label="WMD",
            group="embedding",
            bounds=(0.0, 1.0),
            direction="higher",
            needs_references=True,
            measures="How little the candidate's words must travel between word vectors to become a reference's words",
            paper="Kusner et al. 2015, From Word Embeddings To Document Distances",
            resources=(),
            path="wmd:Wmd",
            explanation="WmdExplanation",
        ),
        MetricSpec(
            key="wembsim",
            metric="wembsim",
            label="WEmbSim",
            group="embedding",
            bounds=(0.0, 1.0),
            direction="higher",
            needs_references=True,
            measures="How closely the mean word vector of the candidate points where those of the references point",
            paper="Sharif et al. 2020, WEmbSim: A Simple yet Effective Metric for Image Captioning",
            resources=("minilm-weights",),
            path="wembsim:WEmbSim",
            explanation="WEmbSimExplanation",
        ),
        MetricSpec(
            key="bertscore",
            metric="bertscore",
            label="BERTScore",
            group="embedding",
            bounds=(0.0, 1.0),
            direction="higher",
            needs_references=True,
            measures="How similar each token in its context is to its best match on the other side",
            paper="Zhang et al. 2020, BERTScore: Evaluating Text Generation with BERT",
            resources=("minilm-weights", "minilm-config", "minilm-tokenizer"),
            path="bertscore:BertScore",
            explanation="BertScoreExplanation",
            tokenizer="model",
        ),
        MetricSpec(
            key="sparcs",
            metric="sparcs",
            label="SPARCS",
            group="typicality",
            bounds=(0.0, 1.0),
            direction="higher",
            needs_references=True,
            measures="Concepts (stems, stop words aside) shared with the references, the more people name one the more",
            paper="Feinglass and Yang 2021, SMURF: SeMantic and linguistic UndeRstanding Fusion for Caption Evaluation",
            resources=(),
            path="sparcs:Sparcs",
            explanation="SparcsExplanation",
            tokenizer="nltk-word-3.5",
        ),
        MetricSpec(
            key="spurts",
            metric="spurts",
            label="SPURTS",
            group="typicality",
            bounds=(0.0, 1.0),
            direction="higher",
            needs_references=False,
            measures="How distinct the content words are: how much they stir a language model's attention (style)",
            paper="Feinglass and Yang 2021, SMURF: SeMantic and linguistic UndeRstanding Fusion for Caption Evaluation",
            resources=("minilm-weights", "typicality"),
            path="spurts:Spurts",
            explanation="FlowExplanation",
            tokenizer="wordpiece",
        ),
        MetricSpec(
            key="mima",
            metric="mima",
            label="MIMA",
            group="typicality",
            bounds=(0.0, 1.0),
            direction="higher",
            needs_references=False,
            measures="How ordinary the wording is: how little it stirs a language model's attention (grammar)",
            paper="Feinglass and Yang 2021, SMURF: SeMantic and linguistic UndeRstanding Fusion for Caption Evaluation",
            resources=("minilm-weights", "typicality"),
            path="mima:Mima",
            explanation="FlowExplanation",
            tokenizer="wordpiece",
        ),
        MetricSpec(
            key="smurf",
            metric="smurf",
            label="SMURF",
            group="typicality",
            # Its parts lie within 0 to 1; with the paper's constants Eq. 12 then stays within these.
            bounds=(-14.07, 16.8),
            direction="higher",
            needs_references=True,
            measures="What is said (SPARCS), a reward for style (SPURTS) and a penalty for odd grammar (MIMA) in one",
            paper="Feinglass and Yang 2021, SMURF: SeMantic and linguistic UndeRstanding Fusion for Caption Evaluation",
            resources=("minilm-weights", "typicality"),
            path="smurf:Smurf",
            explanation="SmurfExplanation",
            tokenizer="nltk-word-3.5+wordpiece",
            parts=("sparcs", "spurts", "mima"),
        ),
        MetricSpec(
            key="i2ce",
            metric="i2ce",
            label="I2CE",
            group="learned",
            bounds=(-1.0, 1.0),  # a mean of cosines
            direction="higher",
            needs_references=True,
            measures="How near the candidate is to its nearest references in what a caption auto-encoder learned",
            paper="Zeng et al. 2021, Contrastive Semantic Similarity Learning for Image Captioning Evaluation with "
            "Intrinsic Auto-encoder",
            resources=("i2ce",),
            path="i2ce:I2ce",
            explanation="I2ceExplanation",
        ),
        MetricSpec(
            key="nneval",
            metric="nneval",
            label="NNEval",
            group="learned",
            bounds=(0.0, 1.0),
            direction="higher",
            needs_references=True,
            measures="How likely a person wrote it, judged by a network that reads the scores of eight other metrics",
            paper="Sharif et al. 2018, NNEval: Neural Network Based Evaluation Metric for Image Captioning",
            resources=("nneval", "coco-val-df", "caption-parser", "meteor-jar", "meteor-paraphrases"),
            path="nneval:NNEval",
            explanation="NNEvalExplanation",
        ),
        MetricSpec(
            key="nneval_plus",
            metric="nneval_plus",
            label="NNEval+",
            group="learned",
            bounds=(0.0, 1.0),
            direction="higher",
            needs_references=True,
            measures="NNEval with more to read: BERTScore, WEmbSim, SPARCS, ROUGE-L and I2CE beside the eight",
            paper="Sharif et al. 2018, NNEval: Neural Network Based Evaluation Metric for Image Captioning",
            resources=(
                "nneval-plus",
                "i2ce",
                "coco-val-df",
                "caption-parser",
                "meteor-jar",
                "meteor-paraphrases",
                "minilm-weights",
                "minilm-config",
                "minilm-tokenizer",
            ),
            path="nneval_plus:NNEvalPlus",
            explanation="NNEvalExplanation",
            tokenizer="coco-ptb+nltk-word-3.5+model",
        ),
    )
}


def keys() -> tuple[str, ...]:
    return tuple(_SPECS)


def get(key: str) -> MetricSpec:
    try:
        return _SPECS[key]
    except KeyError:
        raise InvalidInput(f"unknown metric {key!r}", expected=f"one of {', '.join(_SPECS)}") from None


def select(chosen: Iterable[str] | None) -> list[MetricSpec]:
    """The specs of the chosen keys in the order given, each once; all of them for None."""
    return [get(key) for key in dict.fromkeys(keys() if chosen is None else chosen)]


def metrics() -> tuple[str, ...]:
    """The names of the metrics; one may give several keys."""
    return tuple(dict.fromkeys(spec.metric for spec in _SPECS.values()))


def of_metric(name: str) -> MetricSpec:
    """The first of a metric's keys."""
    found = next((spec for spec in _SPECS.values() if spec.metric == name), None)
    if found is None:
        raise InvalidInput(f"unknown metric {name!r}", expected=f"one of {', '.join(metrics())}")
    return found


def title(name: str) -> str:
    """A metric's name for people: that of its key, or of all its keys together (BLEU)."""
    spec = of_metric(name)
    return spec.label if spec.key == name else name.upper()
