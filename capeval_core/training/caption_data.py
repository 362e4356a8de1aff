"""The parses the caption parser learns from: reading, splitting, vocabularies, batches of one sentence length."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from capeval_core.errors import InvalidInput
from capeval_core.resources.caption_lexicon import FeatureIndex, Lexicon, affixes
from capeval_core.resources.vectors import PACKAGED, open_vectors
from capeval_core.text import lemma_rules
from capeval_core.text.parse import Parse

VECTOR_WORDS = 40_000  # the most frequent words of GloVe that ship with the parser
MIN_WORD_COUNT = 2
MIN_AFFIX_COUNT = 3  # counted over word types
CLASSES = {tag: f"<{tag}>" for tag in ("NN", "NNS", "JJ", "CD")}
MIN_CLASS_COUNT, MIN_CLASS_SHARE = 15, 0.99  # a word is read as its class if it is frequent and has (nearly) one tag
TIME = "nmod:tmod"  # of nouns of time: depends on the word itself


def read_parses(path: Path) -> list[Parse]:
    """Distinct sentences of a parses JSONL file (plain or .gz), in file order."""
    opener = gzip.open if path.suffix == ".gz" else open
    found: dict[tuple[str, ...], Parse] = {}
    with opener(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                for raw in json.loads(line)["sentences"]:
                    columns = (raw[name] for name in ("words", "tags", "lemmas", "heads", "relations"))
                    parse = Parse(*map(tuple, columns))
                    found.setdefault(parse.words, parse)
            except (ValueError, KeyError, TypeError) as error:
                raise InvalidInput(f"{path}, line {number}: not a parsed caption ({error})") from error
    if not found:
        raise InvalidInput(f"{path}: no sentences", expected="JSON lines with the field sentences")
    return list(found.values())


def split(parses: Sequence[Parse], held_out: int) -> tuple[list[Parse], list[Parse]]:
    """Training and development sentences. Sentences of the same words (articles and order aside) stay on one side."""
    groups: dict[str, list[Parse]] = defaultdict(list)
    for parse in parses:
        key = " ".join(sorted(set(parse.words) - {"a", "an", "the"}))
        groups[hashlib.sha256(key.encode()).hexdigest()].append(parse)
    training: list[Parse] = []
    development: list[Parse] = []
    for key in sorted(groups):
        (development if len(development) < held_out else training).extend(groups[key])
    return training, development


def build_lexicon(parses: Sequence[Parse], vector_words: Sequence[str]) -> Lexicon:
    words = Counter(word.lower() for parse in parses for word in parse.words)
    spelled = zip(*map(affixes, words), strict=True)
    tables = tuple(_frequent(Counter(column), MIN_AFFIX_COUNT) for column in spelled)
    in_captions = [word for word in vector_words if word in words]
    classes = _classes(parses)
    common = [word for word in vector_words[:VECTOR_WORDS] if word not in words]
    return Lexicon(
        words=(*sorted(CLASSES.values()), *_frequent(words, MIN_WORD_COUNT)),
        vectors=tuple((in_captions + common)[:VECTOR_WORDS]),
        affixes=tables,
        tags=tuple(sorted({tag for parse in parses for tag in parse.tags})),
        relations=tuple(sorted({relation for parse in parses for relation in parse.relations})),
        classes=classes,
        lemmas=_irregular_lemmas(parses),
    )


def _classes(parses: Iterable[Parse]) -> dict[str, str]:
    tags: dict[str, Counter[str]] = defaultdict(Counter)
    for parse in parses:
        for word, tag, relation in zip(parse.words, parse.tags, parse.relations, strict=True):
            tags[word.lower()][TIME if relation == TIME else tag] += 1
    found = {}
    for word in sorted(tags):
        (tag, count), total = tags[word].most_common(1)[0], tags[word].total()
        if tag in CLASSES and total >= MIN_CLASS_COUNT and count >= MIN_CLASS_SHARE * total:
            found[word] = CLASSES[tag]
    return found


def distinct(parses: Iterable[Parse], lexicon: Lexicon) -> list[Parse]:
    """One sentence of those that look alike to the network."""
    index = FeatureIndex(lexicon)
    seen: dict[tuple[int, ...], Parse] = {}
    for parse in parses:
        seen.setdefault(tuple(row for word in parse.words for row in index.rows(word)), parse)
    return list(seen.values())


def _frequent(counts: Counter[str], least: int) -> tuple[str, ...]:
    return tuple(sorted(name for name, count in counts.items() if count >= least))


def _irregular_lemmas(parses: Iterable[Parse]) -> dict[str, str]:
    seen: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for parse in parses:
        for word, tag, lemma in zip(parse.words, parse.tags, parse.lemmas, strict=True):
            seen[word, lemma_rules.word_class(tag)][lemma] += 1
    best = {key: counts.most_common(1)[0][0] for key, counts in seen.items()}
    return {f"{w} {t}": lemma for (w, t), lemma in sorted(best.items()) if lemma != lemma_rules.lemma(w, t)}


def read_vectors() -> tuple[list[str], npt.NDArray[np.float32]]:
    """GloVe 6B, 50 dimensions: words by falling frequency, and their vectors."""
    vectors = open_vectors(PACKAGED)
    return list(vectors.index), vectors.matrix


@dataclass(frozen=True, slots=True)
class Batch:
    features: Tensor  # (sentences, words, features)
    tags: Tensor  # (sentences, words), like the next two
    heads: Tensor
    relations: Tensor


class Batches:
    """Sentences as tensors, grouped by length; a batch holds about `words` words."""

    def __init__(self, parses: Sequence[Parse], lexicon: Lexicon, words: int) -> None:
        index = FeatureIndex(lexicon)
        rows = {word: index.rows(word) for parse in parses for word in parse.words}
        tags = {tag: i for i, tag in enumerate(lexicon.tags)}
        relations = {relation: i for i, relation in enumerate(lexicon.relations)}
        self._words = words
        by_length: dict[int, list[Parse]] = defaultdict(list)
        for parse in parses:
            by_length[len(parse.words)].append(parse)
        self._groups = [
            Batch(
                torch.tensor([[rows[word] for word in parse.words] for parse in group]),
                torch.tensor([[tags.get(tag, 0) for tag in parse.tags] for parse in group]),
                torch.tensor([parse.heads for parse in group]),
                torch.tensor([[relations.get(relation, 0) for relation in parse.relations] for parse in group]),
            )
            for _, group in sorted(by_length.items())
        ]

    def __iter__(self) -> Iterator[Batch]:
        return self._cut([torch.arange(len(group.tags)) for group in self._groups], None)

    def shuffled(self, generator: torch.Generator) -> Iterator[Batch]:
        orders = [torch.randperm(len(group.tags), generator=generator) for group in self._groups]
        return self._cut(orders, generator)

    def __len__(self) -> int:
        return sum(-(-len(group.tags) // self._size(group)) for group in self._groups)

    def _size(self, group: Batch) -> int:
        return max(1, self._words // group.tags.shape[1])

    def _cut(self, orders: Sequence[Tensor], generator: torch.Generator | None) -> Iterator[Batch]:
        groups = zip(self._groups, orders, strict=True)
        parts = [(group, part) for group, order in groups for part in torch.split(order, self._size(group))]
        turns = torch.randperm(len(parts), generator=generator).tolist() if generator else range(len(parts))
        for turn in turns:
            group, part = parts[turn]
            yield Batch(group.features[part], group.tags[part], group.heads[part], group.relations[part])
