"""How much each token of a transformer counts in BERTScore: all the same, by rarity in references, or from a file.

A file is a JSON object, token -> weight, in the transformer's own tokens ("dog", "##s"). The key "" is the weight of
every token that is not listed; without it they weigh as much as the heaviest that is.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from capeval_core.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class TokenWeights:
    name: str
    weights: Mapping[str, float]
    other: float  # of a token that is not listed

    def of(self, tokens: Iterable[str]) -> list[float]:
        return [self.weights.get(token, self.other) for token in tokens]

    @property
    def label(self) -> str:
        """The name and a short hash of the content, for signatures."""
        content = json.dumps([sorted(self.weights.items()), self.other])
        return f"{self.name}({len(self.weights)} tokens,{hashlib.sha256(content.encode()).hexdigest()[:8]})"


def count(texts: Iterable[Iterable[str]], name: str) -> TokenWeights:
    """log((N + 1) / (n + 1)) for a token in n of N texts. What every text has ([CLS], [SEP]) weighs 0."""
    counts, documents = Counter[str](), 0
    for tokens in texts:
        counts.update(set(tokens))
        documents += 1
    return of_counts(counts, documents, name)


def of_counts(counts: Mapping[str, int], documents: int, name: str) -> TokenWeights:
    whole = documents + 1
    weights = {token: math.log(whole / (found + 1)) for token, found in counts.items()}
    return TokenWeights(name, weights, math.log(whole))


def read(source: str) -> TokenWeights:
    path, expected = Path(source), 'a JSON object {"token": weight, ...}, no weight below 0'
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{path}: not a table of token weights", expected=expected, found=str(error)) from error
    if not isinstance(found, dict) or not found:
        raise InvalidInput(f"{path}: not a table of token weights", expected=expected, found=type(found).__name__)
    for token, weight in found.items():
        if type(weight) not in (int, float) or not 0 <= weight < math.inf:
            raise InvalidInput(f"{path}: the weight of {token!r}", expected="a number from 0 up", found=repr(weight))
    weights = {token: float(weight) for token, weight in found.items()}
    other = weights.pop("", None)
    return TokenWeights(path.name, weights, max(weights.values()) if other is None else other)
