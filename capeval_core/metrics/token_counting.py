"""How rare a transformer's tokens are in references that come in pieces: BERTScore's idf."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from capeval_core import pace
from capeval_core.resources import token_weights
from capeval_core.resources.token_weights import TokenWeights
from capeval_core.shared import Shared
from capeval_core.types import CaptionItem


@dataclass(frozen=True, slots=True)
class BertScoreContext:
    """The transformer of one evaluation, and what its tokens weigh."""

    model: str
    weights: TokenWeights

    def signature(self) -> dict[str, str]:
        idf = self.weights.name if self.weights.name == "none" else self.weights.label
        return {"model": self.model, "idf": idf, "res": self.model}


@dataclass(frozen=True, slots=True)
class References:
    """References of a piece of a batch, and how often each stands there, as work for another process."""

    model: str
    texts: Mapping[str, int]

    def count(self, shared: Shared) -> tuple[Counter[str], int]:
        model, counts = shared.transformer(self.model), Counter[str]()
        for text, often in pace.each(self.texts.items()):
            counts.update(dict.fromkeys(model.encode(text).tokens, often))
        return counts, sum(self.texts.values())


class TokenCounting:
    """The idf of references that come piece by piece: see IdfCounting."""

    counts = True

    def __init__(self, model: str, label: str) -> None:
        self.name = f"tokens:{model}"
        self._model, self._label = model, label
        self._found, self._total = Counter[str](), 0

    def look(self, items: Sequence[CaptionItem]) -> None:
        """The second reading is enough."""

    def pick(self, items: Sequence[CaptionItem]) -> References | None:
        texts = Counter(text.strip() for item in items for text in item.references)
        return References(self._model, texts) if texts else None

    def add(self, counted: tuple[Counter[str], int]) -> None:
        self._found.update(counted[0])
        self._total += counted[1]

    def context(self) -> BertScoreContext:
        weights = token_weights.of_counts(self._found, self._total, f"references({self._total})")
        return BertScoreContext(self._label, weights)
