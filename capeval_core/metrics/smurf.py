"""SMURF: what a caption says (SPARCS), rewarded for its style (SPURTS), punished for odd grammar (MIMA).

Paper:     Feinglass and Yang 2021, "SMURF: SeMantic and linguistic UndeRstanding Fusion for Caption Evaluation via
           Typicality Analysis", Eq. 12.
Reference: the SMURF values the authors published. They are not Eq. 12's sum but the mean of its terms (three, or two
           where the style reward is held back): fusion=average gives all 10,000 of karpathy_a from the published parts.
Range:     -14.07 to 16.80 where the parts reach 0 and 1; people's captions have mean 1.96. Higher is better.
           Corpus score: mean of the segments.

Each part is standardised by people's captions of COCO. T = -1.96, the lower end of what people do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from capeval_core.errors import MetricFailed
from capeval_core.metrics import sparcs, typicality
from capeval_core.metrics.sparcs import SparcsExplanation
from capeval_core.metrics.typicality import FlowContext, FlowExplanation
from capeval_core.metrics.typicality.source import ESTIMATE, MINILM, PAPER
from capeval_core.option_fields import Checked, one_of
from capeval_core.shared import Shared
from capeval_core.text.unknown import Unknown
from capeval_core.types import Array, CaptionItem, Explanation, MetricResult, StandIn

THRESHOLD = -1.96
PARTS = ("sparcs", "spurts", "mima")


@dataclass(frozen=True, slots=True)
class Standard:
    """People's captions: mean and standard deviation of one part."""

    mean: float
    deviation: float

    def apply(self, values: Array) -> Array:
        return (values - self.mean) / self.deviation


SPARCS = Standard(0.400853, 0.171832)
# paper: the authors' constants, from people's captions of the COCO Karpathy test split. minilm: the plain method on the
# 2,500 captions by people in karpathy_a; `python -m capeval_core train typicality` writes them into its model card.
STANDARDS: Mapping[str, Mapping[str, Standard]] = {
    "paper": {"sparcs": SPARCS, "spurts": Standard(0.402463, 0.052658), "mima": Standard(0.489233, 0.035721)},
    "minilm": {"sparcs": SPARCS, "spurts": Standard(0.238194, 0.046346), "mima": Standard(0.659659, 0.032478)},
}


@dataclass(frozen=True, slots=True)
class Options(Checked):
    """The transformers are those of MIMA's and SPURTS' options."""

    fusion: str = field(
        default="sum",
        metadata=one_of(
            "Fusion",
            "How SPARCS, the style reward and the grammar penalty become one number.",
            {"sum": "Eq. 12 of the paper", "average": "as in the authors' program"},
        ),
    )


@dataclass(frozen=True, slots=True)
class SmurfContext:
    spurts: FlowContext
    mima: FlowContext

    def signature(self) -> dict[str, str]:
        labels = [self.spurts.label, self.mima.label]
        return {"model": labels[0] if labels[0] == labels[1] else "+".join(labels)}


@dataclass(frozen=True, slots=True)
class SmurfTerm:
    name: str
    raw: float
    standard: Standard
    standardised: float
    contribution: float  # SPARCS' itself; reward for SPURTS', 0 or more; penalty for MIMA', 0 or less
    counted: bool  # False: the style reward of a caption that says too little


@dataclass(frozen=True, slots=True, kw_only=True)
class SmurfExplanation(Explanation):
    terms: tuple[SmurfTerm, ...]  # SPARCS, SPURTS, MIMA
    threshold: float
    branch: str  # which line of Eq. 12 applied
    fusion: str
    divisor: int  # 1 for the sum; for the average, how many terms counted
    sparcs: SparcsExplanation
    spurts: FlowExplanation
    mima: FlowExplanation


def rewards(spurts: Array, mima: Array) -> tuple[Array, Array]:
    """Style reward D and grammar penalty G of standardised values."""
    return np.maximum(spurts - THRESHOLD, 0), np.minimum(mima - THRESHOLD, 0)


def fuse(standardised: Sequence[Array], fusion: str) -> Array:
    """Eq. 12 of the standardised PARTS."""
    sparcs, spurts, mima = standardised
    reward, penalty = rewards(spurts, mima)
    low = sparcs < THRESHOLD
    total: Array = sparcs + np.where(low, 0, reward) + penalty
    return total / np.where(low, 2, 3) if fusion == "average" else total


class Smurf:
    def __init__(self, options: Options, shared: Shared) -> None:
        self.options = options
        self.shared = shared
        self.context: SmurfContext = shared.context["smurf"]
        self.standards = {
            "sparcs": SPARCS,
            "spurts": standard("spurts", self.context.spurts.source),
            "mima": standard("mima", self.context.mima.source),
        }
        self._sparcs = sparcs.Sparcs(sparcs.Options(), shared)

    @staticmethod
    def resolve(options: Options, items: Sequence[CaptionItem], shared: Shared) -> SmurfContext:
        style, grammar = (shared.options.get(key, typicality.Options()) for key in ("spurts", "mima"))
        return SmurfContext(typicality.choose(style.model, "spurts"), typicality.choose(grammar.model, "mima"))

    def _statistics(self, parts: Mapping[str, Array]) -> Array:
        """SMURF first, then the standardised parts."""
        columns = [self.standards[key].apply(parts[key]) for key in PARTS]
        return np.column_stack([fuse(columns, self.options.fusion), *columns])

    def score(self, items: Sequence[CaptionItem]) -> MetricResult:
        found = {
            "sparcs": self.shared.scored("sparcs", self._sparcs, items),
            "spurts": typicality.flow_values(items, "spurts", self.context.spurts, self.shared),
            "mima": typicality.flow_values(items, "mima", self.context.mima, self.shared),
        }
        stats = self._statistics({key: result.segments[key] for key, result in found.items()})
        notes = {
            row: join({key.upper(): result.notes.get(row, "") for key, result in found.items()})
            for row in sorted({row for result in found.values() for row in result.notes})
        }
        return MetricResult(segments={"smurf": stats[:, 0].copy()}, statistics=stats, notes=notes)

    def corpus(self, statistics: Array) -> dict[str, float]:
        return {"smurf": float(statistics[:, 0].mean())}

    def stand_in(self, key: str) -> StandIn | None:
        return typicality.stand_in_for({"mima": self.context.mima, "spurts": self.context.spurts}, key)

    def unknown(self, caption: str) -> Unknown:
        return typicality.unknown_to(self.context.mima, caption, self.shared)

    def explain(self, item: CaptionItem, key: str) -> SmurfExplanation:
        said = self._sparcs.explain(item, "sparcs")
        style = typicality.explain_flow(item.candidate, "spurts", self.context.spurts, self.shared, word_by_word=False)
        grammar = typicality.explain_flow(item.candidate, "mima", self.context.mima, self.shared, word_by_word=False)
        raw = dict(zip(PARTS, (said.value, style.value, grammar.value), strict=True))
        stats = self._statistics({name: np.array([value]) for name, value in raw.items()})[0]
        standardised = dict(zip(PARTS, stats[1:].tolist(), strict=True))
        reward, penalty = rewards(stats[2:3], stats[3:4])
        low = standardised["sparcs"] < THRESHOLD
        contributions = (standardised["sparcs"], float(reward[0]), float(penalty[0]))
        return SmurfExplanation(
            value=float(stats[0]),
            note=join({"SPARCS": said.note, "SPURTS": style.note, "MIMA": grammar.note}),
            terms=tuple(
                SmurfTerm(
                    name, raw[name], self.standards[name], standardised[name], part, not (low and name == "spurts")
                )
                for name, part in zip(PARTS, contributions, strict=True)
            ),
            threshold=THRESHOLD,
            branch=branch(low),
            fusion=self.options.fusion,
            divisor=(2 if low else 3) if self.options.fusion == "average" else 1,
            sparcs=said,
            spurts=style,
            mima=grammar,
        )


def branch(low: bool) -> str:
    if low:
        return f"SPARCS' is below {THRESHOLD}: the caption says too little, so its style earns nothing"
    return f"SPARCS' is {THRESHOLD} or more: the style reward counts"


def join(notes: Mapping[str, str]) -> str:
    return "; ".join(f"{name}: {note}" for name, note in notes.items() if note)


def standard(key: str, source: str) -> Standard:
    """People's mean and deviation by the transformer that made the value; none are known for other transformers."""
    name = FlowContext(source).label
    if source == ESTIMATE or name == PAPER[key]:
        return STANDARDS["paper"][key]
    if source == MINILM:
        return STANDARDS["minilm"][key]
    raise MetricFailed(
        f"SMURF has no mean and deviation of people's captions for {key.upper()} by {name}",
        fix=f"set {key}.model to auto, estimate or minilm, or leave SMURF out",
    )
