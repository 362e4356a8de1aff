"""SPIDEr: the mean of SPICE and CIDEr (CIDEr-D, unless CIDEr's options say otherwise).

Paper:     Liu et al. 2017, "Improved Image Captioning via Policy Gradient optimization of SPIDEr".
Reference: no program of its own; the two metrics it averages are tested against theirs.
Range:     0 to 5.5 (SPICE and CIDEr keep their own scales), higher is better. Corpus score: mean of the segments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from capeval_core.metrics import cider, spice
from capeval_core.metrics.cider import CiderExplanation
from capeval_core.metrics.idf_counting import IdfContext, IdfCounting
from capeval_core.metrics.spice import SpiceExplanation
from capeval_core.option_fields import Checked
from capeval_core.shared import Shared
from capeval_core.text.unknown import Unknown
from capeval_core.types import Array, CaptionItem, Explanation, MetricResult, StandIn


@dataclass(frozen=True, slots=True)
class Options(Checked):
    """SPIDEr has no settings of its own: it follows CIDEr's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpiderExplanation(Explanation):
    spice: SpiceExplanation
    cider: CiderExplanation


class Spider:
    def __init__(self, options: Options, shared: Shared) -> None:
        self.options = options
        self.shared = shared
        self._spice = spice.Spice(spice.Options(), shared)
        self._cider = cider.Cider(shared.options.get("cider", cider.Options()), shared, shared.context["spider"])

    @staticmethod
    def resolve(options: Options, items: Sequence[CaptionItem], shared: Shared) -> IdfContext:
        return cider.Cider.resolve(shared.options.get("cider", cider.Options()), items, shared)

    @staticmethod
    def counting(options: Options, shared: Shared, folder: Path) -> IdfCounting | None:
        return cider.Cider.counting(shared.options.get("cider", cider.Options()), shared, folder)

    def score(self, items: Sequence[CaptionItem]) -> MetricResult:
        left = self.shared.scored("spice", self._spice, items)
        right = self.shared.scored("cider", self._cider, items)
        values = (left.segments["spice"] + right.segments["cider"]) / 2
        return MetricResult(segments={"spider": values}, statistics=values[:, None], notes=left.notes)

    def corpus(self, statistics: Array) -> dict[str, float]:
        return {"spider": float(statistics[:, 0].mean())}

    def unknown(self, caption: str) -> Unknown:
        return self._spice.unknown(caption)

    def stand_in(self, key: str) -> StandIn | None:
        return self._spice.stand_in(key)

    def explain(self, item: CaptionItem, key: str) -> SpiderExplanation:
        left, right = self._spice.explain(item, "spice"), self._cider.explain(item, "cider")
        value = (left.value + right.value) / 2
        return SpiderExplanation(value=value, spice=left, cider=right, note=left.note or right.note)
