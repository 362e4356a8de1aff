"""BERTScore: each token meets its most similar token on the other side; the mean of these cosines, in both directions.

Paper:     Zhang et al. 2020, "BERTScore: Evaluating Text Generation with BERT", section 3, without baseline rescaling.
Reference: the bert-score package on the same weights and layer; its numbers are in tests/golden/bertscore.json.
Range:     0 to 1, higher is better. Corpus score: mean of the segments.

As in the package, [CLS] and [SEP] weigh nothing but can be the most similar token, and of several references the best
precision, the best recall and the best F1 count, each by itself, even from three references. A token whose cosines are
all negative counts 0: in the package the zeros that pad a batch win there, and only the longest text of a batch, which
has no padding, keeps its negative cosine; here company makes no difference.

The default layer is MiniLM's last. Spearman of F1 with the mean judgement of Flickr8k's experts (5,822 captions), by
layer from 1 to 6: 0.609 0.611 0.620 0.662 0.683 0.768; with idf of the references 0.662 0.658 0.659 0.686 0.696 0.751.
(Negative cosines were counted as they are in this measurement.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from capeval_core import pace
from capeval_core.errors import InvalidInput
from capeval_core.metrics.token_counting import BertScoreContext, TokenCounting
from capeval_core.option_fields import Checked, one_of, transformer, whole_number
from capeval_core.resources import token_weights
from capeval_core.resources.token_weights import TokenWeights
from capeval_core.resources.vocabulary import unknown_tokens
from capeval_core.shared import Shared
from capeval_core.text.ngrams import Ints
from capeval_core.text.unknown import Unknown
from capeval_core.types import Array, CaptionItem, Explanation, MetricResult, StandIn

ITEMS_AT_ONCE = 2_000
MEASURES = ("precision", "recall", "f1")
PACKAGED = "minilm"
MINILM = StandIn(
    "stand-in",
    "MiniLM-L6",
    "RoBERTa-large, layer 17",
    "python -m capeval_core resources fetch FacebookAI/roberta-large; "
    "python -m capeval_core score ... --set bertscore.model=FacebookAI/roberta-large --set bertscore.layer=17",
)


@dataclass(frozen=True, slots=True)
class Options(Checked):
    model: str = field(default=PACKAGED, metadata=transformer("Transformer", "Whose token vectors are compared."))
    layer: int = field(
        default=6,
        metadata=whole_number(
            "Layer",
            "Whose output is compared; 0 is what enters the first layer.",
            0,
            depth_of="model",
        ),
    )
    idf: str = field(
        default="none",
        metadata=one_of(
            "Weights of tokens",
            "Whether rare tokens count more.",
            {"none": "no", "references": "yes: tokens that are rare in the scored captions' references"},
            other="the path of a table of token weights",
            of_batch=("references",),
        ),
    )
    measure: str = field(
        default="f1",
        metadata=one_of(
            "Measure",
            "Which side's tokens have to find a match.",
            {"f1": "both sides", "precision": "the candidate's", "recall": "the references'"},
        ),
    )


@dataclass(frozen=True, slots=True)
class BertScoreReference:
    tokens: tuple[str, ...]
    idf: tuple[float, ...]  # weight of each token as it is in the table
    weights: tuple[float, ...]  # the same as shares; add up to 1, or all 0
    similarity: tuple[tuple[float, ...], ...]  # candidate token by reference token: cosine of their vectors
    candidate_matches: tuple[int, ...]  # for each candidate token the place of its best; counts 0 if negative
    reference_matches: tuple[int, ...]  # for each reference token the place of its best
    precision: float
    recall: float
    f1: float
    cut: bool  # longer than the model's limit


@dataclass(frozen=True, slots=True, kw_only=True)
class BertScoreExplanation(Explanation):
    tokens: tuple[str, ...]
    idf: tuple[float, ...]
    weights: tuple[float, ...]
    cut: bool
    references: tuple[BertScoreReference, ...]
    best: int  # the reference that gave the value
    precision: float  # the best of the references, as recall and F1 are
    recall: float
    f1: float
    measure: str
    model: str
    layer: int
    idf_source: str


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A caption's tokens, each one's share of the weight, and its vectors."""

    tokens: tuple[str, ...]
    cut: bool
    empty: bool  # nothing but [CLS] and [SEP]
    weights: Array  # add up to 1, or all 0
    vectors: npt.NDArray[np.float32]


def unit(vectors: npt.NDArray[np.float32]) -> Array:
    """In float64, that the cosine of equal vectors is 1 to the last digits."""
    wide = vectors.astype(np.float64)
    norms = np.sqrt(np.einsum("ij,ij->i", wide, wide))[:, None]
    return wide / np.where(norms > 0, norms, 1.0)


def similarities(candidate: Text, references: Sequence[Text]) -> tuple[Array, Ints]:
    """(candidate tokens, tokens of all references): cosines; and the column where each reference starts."""
    lengths = np.array([len(reference.tokens) for reference in references])
    columns = unit(np.concatenate([reference.vectors for reference in references]))
    return unit(candidate.vectors) @ columns.T, np.cumsum(lengths) - lengths


def measures(candidate: Text, references: Sequence[Text], similarity: Array, starts: Ints) -> Array:
    """(references, 3): precision, recall and F1 of each; 0 where a side is empty."""
    weights = np.concatenate([reference.weights for reference in references])
    precision = candidate.weights @ np.maximum.reduceat(similarity, starts, axis=1).clip(min=0)
    recall = np.add.reduceat(similarity.max(axis=0).clip(min=0) * weights, starts)
    if candidate.empty or any(reference.empty for reference in references):
        compared = np.array([not candidate.empty and not reference.empty for reference in references])
        precision, recall = precision * compared, recall * compared
    return np.stack([precision, recall, harmonic_mean(precision, recall)], axis=1)


def harmonic_mean(left: Array, right: Array) -> Array:
    total = left + right
    return np.divide(2 * left * right, total, out=np.zeros_like(left), where=total > 0)


class BertScore:
    def __init__(self, options: Options, shared: Shared, context: BertScoreContext | None = None) -> None:
        self.options = options
        self.shared = shared
        self.context: BertScoreContext = context or shared.context["bertscore"]
        self.model = shared.transformer(options.model)
        self._frame = frozenset(self.model.encode("").tokens)  # frames every text: all there is of an empty one
        self._weights: dict[tuple[str, ...], Array] = {}

    @staticmethod
    def resolve(options: Options, items: Sequence[CaptionItem], shared: Shared) -> BertScoreContext:
        """The idf of the batch's references is the package's: every reference of every item, repeats too."""
        model = shared.transformer(options.model)
        if not options.layer <= model.layers:
            raise InvalidInput(f"{model.name} has no layer {options.layer}", expected=f"0 to {model.layers}")
        if options.idf == "none":
            return BertScoreContext(model.name, TokenWeights("none", {}, 1.0))
        if options.idf != "references":
            return BertScoreContext(model.name, token_weights.read(options.idf))
        references = [text.strip() for item in items for text in item.references]
        tokens = (model.encode(text).tokens for text in shared.track("Counting tokens", references, len(references)))
        found = token_weights.count(tokens, f"references({len(references)})")
        return BertScoreContext(model.name, found)

    @staticmethod
    def counting(options: Options, shared: Shared, folder: Path) -> TokenCounting | None:
        """The same for captions that come piece by piece; nothing where no piece decides."""
        if options.idf != "references":
            return None
        BertScore.resolve(replace(options, idf="none"), (), shared)  # a wrong layer is said now
        return TokenCounting(options.model, shared.transformer(options.model).name)

    def _idf(self, tokens: Sequence[str]) -> list[float]:
        """[CLS] and [SEP] weigh 0, whatever the table says."""
        found = zip(tokens, self.context.weights.of(tokens), strict=True)
        return [0.0 if token in self._frame else weight for token, weight in found]

    def _share(self, tokens: tuple[str, ...]) -> Array:
        found = self._weights.get(tokens)
        if found is None:
            weights = np.array(self._idf(tokens))
            total = weights.sum()
            found = self._weights[tokens] = weights / total if total > 0 else weights
        return found

    def _read(self, captions: Sequence[str]) -> Iterator[Text]:
        texts = [caption.strip() for caption in captions]
        known = {text: self.model.encode(text) for text in pace.each(dict.fromkeys(texts))}
        encodings = [known[text] for text in texts]
        for encoding, vectors in zip(encodings, self.model.hidden(encodings, self.options.layer), strict=True):
            tokens, empty = encoding.tokens, self._frame.issuperset(encoding.tokens)
            yield Text(tokens, encoding.cut, empty, self._share(tokens), vectors)

    def _items(self, items: Sequence[CaptionItem]) -> Iterator[tuple[int, Text, list[Text]]]:
        """In parts, as a caption's vectors take 20 KB; with items of one image together, so that each is read once."""
        order = sorted(range(len(items)), key=lambda row: items[row].references)
        parts = [order[start : start + ITEMS_AT_ONCE] for start in range(0, len(order), ITEMS_AT_ONCE)]
        for part in self.shared.track("BERTScore", parts, len(parts)):
            texts = self._read([text for row in part for text in (items[row].candidate, *items[row].references)])
            for row in part:
                yield row, next(texts), [next(texts) for _ in items[row].references]

    def _note(self, candidate: Text, references: Sequence[Text]) -> str:
        notes, count = [], len(references)
        empty = sum(reference.empty for reference in references)
        light = sum(not reference.weights.any() for reference in references) - empty
        if candidate.empty:
            notes.append("The candidate has no tokens: 0.")
        elif empty:
            some = f"{empty} of {count} references have no tokens and count 0."
            notes.append("No reference has tokens: 0." if empty == count else some)
        if not candidate.empty and not candidate.weights.any():
            notes.append("Every token of the candidate has idf 0: precision and F1 are 0.")
        if light:
            notes.append(f"Every token of {light} of {count} references has idf 0: their recall and F1 are 0.")
        if candidate.cut:
            notes.append(f"Only the candidate's first {len(candidate.tokens)} tokens were read, the model's limit.")
        if cut := [len(reference.tokens) for reference in references if reference.cut]:
            notes.append(
                f"Only the first {cut[0]} tokens of {len(cut)} of {count} references were read, the model's limit."
            )
        return " ".join(notes)

    def score(self, items: Sequence[CaptionItem]) -> MetricResult:
        values, notes = np.empty(len(items)), {}
        column = MEASURES.index(self.options.measure)
        for row, candidate, references in pace.each(self._items(items)):
            found = measures(candidate, references, *similarities(candidate, references))
            values[row] = found[:, column].max()
            if note := self._note(candidate, references):
                notes[row] = note
        return MetricResult(segments={"bertscore": values}, statistics=values[:, None], notes=notes)

    def corpus(self, statistics: Array) -> dict[str, float]:
        return {"bertscore": float(statistics.mean())}

    def unknown(self, caption: str) -> Unknown:
        return unknown_tokens(self.model, caption)

    def stand_in(self, key: str) -> StandIn | None:
        return MINILM if self.options.model == PACKAGED else None

    def explain(self, item: CaptionItem, key: str) -> BertScoreExplanation:
        ((_, candidate, references),) = self._items([item])
        similarity, starts = similarities(candidate, references)
        found = measures(candidate, references, similarity, starts)
        column, best = MEASURES.index(self.options.measure), found.max(axis=0).tolist()
        matrices = np.split(similarity, starts[1:], axis=1)
        return BertScoreExplanation(
            value=best[column],
            note=self._note(candidate, references),
            tokens=candidate.tokens,
            idf=tuple(self._idf(candidate.tokens)),
            weights=tuple(candidate.weights.tolist()),
            cut=candidate.cut,
            references=tuple(map(self._reference, references, matrices, found.tolist())),
            best=int(found[:, column].argmax()),
            precision=best[0],
            recall=best[1],
            f1=best[2],
            measure=self.options.measure,
            model=self.context.model,
            layer=self.options.layer,
            idf_source=self.context.weights.name,
        )

    def _reference(self, reference: Text, similarity: Array, found: Sequence[float]) -> BertScoreReference:
        return BertScoreReference(
            tokens=reference.tokens,
            idf=tuple(self._idf(reference.tokens)),
            weights=tuple(reference.weights.tolist()),
            similarity=tuple(map(tuple, similarity.tolist())),
            candidate_matches=tuple(similarity.argmax(axis=1).tolist()),
            reference_matches=tuple(similarity.argmax(axis=0).tolist()),
            precision=found[0],
            recall=found[1],
            f1=found[2],
            cut=reference.cut,
        )
