"""Resources that stand in for a paper's own, and how to use the original. The one place that says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StandIn:
    name: str
    original: str
    fix: str


# By what stands in a signature.
STAND_INS = {
    "glove-6b-50d": StandIn(
        "GloVe 6B, 50 numbers a word",
        "word2vec (Google News, 300 numbers a word) or the paper's own vectors",
        "python -m capeval_core score ... --set METRIC.vectors=/path/to/GoogleNews-vectors.bin",
    ),
    "caption-parser": StandIn(
        "CapEval's caption parser",
        "Stanford CoreNLP's parser",
        "CoreNLP needs Java; how close the parser comes is in capeval_core/data/caption_parser.md",
    ),
    "minilm": StandIn(
        "MiniLM-L6",
        "the paper's transformer",
        "python -m capeval_core score ... --set METRIC.model=/path/to/the/model",
    ),
}


def stand_in(signature: str) -> StandIn | None:
    """What stands in for the original behind this number, if anything does."""
    return next((found for name, found in STAND_INS.items() if name in signature.lower()), None)


def warnings(signatures: Mapping[str, str], labels: Mapping[str, str]) -> Iterable[str]:
    """One line a stand-in, naming the metrics it is behind."""
    by_name: dict[str, list[str]] = {}
    for key, signature in signatures.items():
        found = stand_in(signature)
        if found:
            by_name.setdefault(found.name, []).append(labels[key])
    for found in STAND_INS.values():
        if found.name in by_name:
            metrics = ", ".join(by_name[found.name])
            yield f"{metrics}: {found.name} stands in for {found.original}. To use the original: {found.fix}"
