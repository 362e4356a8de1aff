"""Resources that stand in for a paper's own, and how to use the original. The one place that says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

PYTHON = "python -m capeval_core"
WORD2VEC = "gensim:word2vec-google-news-300"
RESTART = "then start CapEval again; it takes the original by itself"


@dataclass(frozen=True, slots=True)
class StandIn:
    word: str  # "stand-in", or "estimated" where the number itself is an estimate of the paper's
    name: str  # what is used
    original: str  # what the paper uses
    fix: str

    @property
    def badge(self) -> str:
        if self.word == "estimated":
            return f"estimated by {self.name}; the paper uses {self.original}"
        return f"stand-in: {self.name} in place of {self.original}"


def _vectors(key: str, name: str) -> StandIn:
    fix = f"{PYTHON} resources fetch {WORD2VEC}; {PYTHON} score ... --set {key}.vectors={WORD2VEC} (or a file's path)"
    original = {"wmd": "word2vec", "wembsim": "word2vec, GloVe 300d, fastText or ELMo"}[key]
    return StandIn("stand-in", name, original, fix)


def _flow(key: str, original: str, models: tuple[str, ...]) -> tuple[StandIn, StandIn]:
    fetch = "; ".join(f"{PYTHON} resources fetch {model}" for model in models)
    estimated = StandIn("estimated", "a regression on MiniLM's attention", original, f"{fetch}; {RESTART}")
    plain = StandIn("stand-in", "MiniLM-L6", original, f"{fetch}; {PYTHON} score ... --set {key}.model=auto")
    return estimated, plain


BERT, ROBERTA = "distilbert-base-uncased", "distilroberta-base"
FLOWS = {
    "mima": _flow("mima", "DistilBERT", (BERT,)),
    "spurts": _flow("spurts", "DistilRoBERTa", (ROBERTA,)),
    "smurf": _flow("smurf", "DistilBERT and DistilRoBERTa", (BERT, ROBERTA)),
}
PARSER = StandIn(
    "stand-in",
    "CapEval's caption parser",
    "Stanford CoreNLP's parser",
    "CapEval runs no Java: use SPICE 1.0 itself. How close the parser comes is in capeval_core/data/caption_parser.md",
)
MINILM = StandIn(
    "stand-in",
    "MiniLM-L6",
    "RoBERTa-large, layer 17",
    f"{PYTHON} resources fetch FacebookAI/roberta-large; "
    f"{PYTHON} score ... --set bertscore.model=FacebookAI/roberta-large --set bertscore.layer=17",
)
VECTORS = {"glove-6b-50d": "GloVe 50d", "spacy-md": "spaCy's vectors", "minilm": "MiniLM's lowest layer"}


def stand_in(signature: str) -> StandIn | None:
    """What stands in for the original behind this number, if anything does."""
    key, *facts = signature.lower().split("|")
    said = dict(fact.split(":", 1) for fact in facts if ":" in fact)
    if "caption-parser" in said.get("res", ""):
        return PARSER
    if key in ("wmd", "wembsim"):
        name = VECTORS.get(said.get("vectors", "").split("(")[0])
        return _vectors(key, name) if name else None
    model = said.get("model", "")
    if key == "bertscore" and model == "minilm":
        return MINILM
    if key in FLOWS:
        estimated, plain = FLOWS[key]
        # One of SMURF's two models may be there and the other not.
        return estimated if "estimated" in model else plain if model == "minilm" else None
    return None


def warnings(signatures: Mapping[str, str], labels: Mapping[str, str]) -> Iterator[str]:
    """A line a stand-in: the metrics it is behind, what it stands in for, and how to use the original."""
    behind: dict[StandIn, list[str]] = {}
    for key, signature in signatures.items():
        found = stand_in(signature)
        if found:
            behind.setdefault(found, []).append(labels[key])
    for found, names in behind.items():
        yield f"{', '.join(names)}: {found.badge}. To use the original: {found.fix}"


def summary(signatures: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """One calm line for all of them, or nothing."""
    words: dict[str, list[str]] = {"stand-in": [], "estimated": []}
    for key, signature in signatures.items():
        found = stand_in(signature)
        if found:
            words[found.word].append(labels[key])
    parts = []
    if words["stand-in"]:
        parts.append(f"{_list(words['stand-in'], 'uses', 'use')} stand-ins for the papers' resources")
    if words["estimated"]:
        parts.append(f"{_list(words['estimated'], 'is', 'are')} estimated")
    return f"≈ {'; '.join(parts)}." if parts else ""


def _list(names: list[str], one: str, many: str) -> str:
    said = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return f"{said} {many if len(names) > 1 else one}"
