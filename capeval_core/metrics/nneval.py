"""NNEval: a small network reads the scores of other metrics and says how likely a person wrote the caption.

Paper:     Sharif et al. 2018, "NNEval: Neural Network Based Evaluation Metric for Image Captioning".
Reference: none that fits: the authors' network (8-72-72-2) wants word2vec's WMD. The one that ships was trained here,
           as capeval_core/data/nneval.md says; tests/golden/nneval.json holds a plain computation of it.
Range:     0 to 1, the probability of a person; higher is better. Corpus score: mean of the segments.

The scores it reads are always those of the metrics' default options with CIDEr's idf of COCO, as in training, whatever
is chosen for these metrics themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from capeval_core.errors import InvalidInput
from capeval_core.metrics import bertscore, bleu, cider, i2ce, meteor, rouge_l, sparcs, spice, wembsim, wmd
from capeval_core.metrics.cider import IdfContext
from capeval_core.option_fields import Checked, one_of, trained
from capeval_core.resources import idf
from capeval_core.resources import trained as networks
from capeval_core.shared import Scorer, Shared
from capeval_core.text.unknown import Unknown
from capeval_core.types import Array, CaptionItem, Explanation, MetricResult

if TYPE_CHECKING:
    from capeval_core.resources.score_network import ScoreNetwork

BLEU = ("bleu_1", "bleu_2", "bleu_3", "bleu_4")
PAPER = ("spice", "cider", *BLEU, "meteor", "wmd")
FEATURES = {"nneval": PAPER, "nneval_plus": (*PAPER, "bertscore", "wembsim", "sparcs", "rouge_l", "i2ce")}
CURVES = {"wmd": "cube root", "cider": "square root"}  # spread out what crowds near 0
IDF = "coco"
VARIANTS = {
    "free": "weights of any sign",
    "monotone": "no weight below 0: the score never falls while a feature rises",
}


@dataclass(frozen=True, slots=True)
class Options(Checked):
    variant: str = field(default="free", metadata=one_of("Variant", "How the network was trained.", VARIANTS))
    model: str = field(
        default=networks.SHIPPED, metadata=trained("Network", "Which trained network reads the scores.", "nneval")
    )


@dataclass(frozen=True, slots=True)
class NetworkContext:
    """The network of one evaluation, for the signature."""

    variant: str
    model: str
    idf: str

    def signature(self) -> dict[str, str]:
        return {"variant": self.variant, "model": self.model, "idf": self.idf}


@dataclass(frozen=True, slots=True)
class NNEvalFeature:
    key: str
    value: float
    people_mean: float  # of people's captions in training
    people_spread: float  # standard deviation
    push: float  # on the log-odds, from the mean caption; all pushes and the start add up to the log-odds

    @property
    def distance(self) -> float:
        """From people's mean, in their standard deviations."""
        return (self.value - self.people_mean) / self.people_spread if self.people_spread > 0 else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class NNEvalExplanation(Explanation):
    features: tuple[NNEvalFeature, ...]  # in the network's order
    start: float  # log-odds of the mean caption
    log_odds: float
    variant: str


def default_parts(names: Sequence[str], shared: Shared) -> dict[str, Any]:
    """The metrics behind the features, by name, each as it was in training."""
    common = IdfContext({}, idf.open_table(IDF))
    makers: dict[str, Any] = {
        "bleu": lambda: bleu.Bleu(bleu.Options(), shared),
        "rouge_l": lambda: rouge_l.RougeL(rouge_l.Options(), shared),
        "meteor": lambda: meteor.Meteor(meteor.Options(), shared),
        "cider": lambda: cider.Cider(cider.Options(idf=IDF), shared, common),
        "spice": lambda: spice.Spice(spice.Options(), shared),
        "wmd": lambda: wmd.Wmd(wmd.Options(), shared),
        "wembsim": lambda: wembsim.WEmbSim(wembsim.Options(), shared),
        "bertscore": lambda: bertscore.BertScore(
            bertscore.Options(), shared, bertscore.BertScore.resolve(bertscore.Options(), (), shared)
        ),
        "sparcs": lambda: sparcs.Sparcs(sparcs.Options(), shared),
        "i2ce": lambda: i2ce.I2ce(i2ce.Options(), shared),
    }
    return {name: makers[name]() for name in dict.fromkeys(names)}


def metric_of(feature: str) -> str:
    return "bleu" if feature in BLEU else feature


class NNEval:
    family = "nneval"

    def __init__(self, options: Options, shared: Shared) -> None:
        self.options = options
        self.shared = shared
        self.context: NetworkContext = shared.context[self.family]
        self.network = self._open(options)
        self._parts: Mapping[str, Scorer] = default_parts(list(map(metric_of, self.network.features)), shared)
        self._spice = spice.Spice(spice.Options(), shared)

    @classmethod
    def _open(cls, options: Options) -> ScoreNetwork:
        from capeval_core.resources.score_network import open_network

        found = open_network(cls.family, options.model, options.variant)
        if unknown := sorted(set(found.features) - set(FEATURES[cls.family])):
            raise InvalidInput("the network reads a score that this metric has not", found=", ".join(unknown)[:80])
        return found

    @classmethod
    def resolve(cls, options: Options, items: Sequence[CaptionItem], shared: Shared) -> NetworkContext:
        """For the signature only. A file with one variant gives that one."""
        table = IdfContext({}, idf.open_table(IDF)).signature()["idf"]
        return NetworkContext(cls._open(options).variant, networks.label(cls.family, options.model), table)

    def _features(self, items: Sequence[CaptionItem]) -> tuple[Array, dict[int, str]]:
        """(items, features) of the scores, and what their metrics note."""
        results = {name: self.shared.scored(name, part, items) for name, part in self._parts.items()}
        columns = [results[metric_of(key)].segments[key] for key in self.network.features]
        notes: dict[int, list[str]] = {}
        for name, result in results.items():
            for row, note in result.notes.items():
                notes.setdefault(row, []).append(f"{name}: {note}")
        return np.column_stack(columns), {row: "; ".join(notes[row]) for row in sorted(notes)}

    def score(self, items: Sequence[CaptionItem]) -> MetricResult:
        values, notes = self._features(items)
        found = self.network.probability(values)
        return MetricResult(segments={self.family: found}, statistics=found[:, None], notes=notes)

    def corpus(self, statistics: Array) -> dict[str, float]:
        return {self.family: float(statistics[:, 0].mean())}

    def unknown(self, caption: str) -> Unknown:
        return self._spice.unknown(caption)

    def explain(self, item: CaptionItem, key: str) -> NNEvalExplanation:
        values, notes = self._features([item])
        network, inputs = self.network, self.network.scaled(values)
        columns = (values[0], network.people_mean, network.people_spread, network.pushes(inputs[0]))
        rows = zip(network.features, *(column.tolist() for column in columns), strict=True)
        return NNEvalExplanation(
            value=float(network.probability(values)[0]),
            note=notes.get(0, ""),
            features=tuple(NNEvalFeature(*row) for row in rows),
            start=float(network.log_odds(network.centre[None])[0]),
            log_odds=float(network.log_odds(inputs)[0]),
            variant=network.variant,
        )
