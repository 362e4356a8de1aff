"""What the caption parser knows about words: rows of its tables, its tag and relation names, its lemmas."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from capeval_core.text import lemma_rules

UNKNOWN = 0  # this row of every table is for what was not seen in training
_DIGIT = re.compile(r"\d")


def affixes(word: str) -> tuple[str, ...]:
    """The spelling features: the last two, the last three and the first three letters; all digits look alike."""
    shape = _DIGIT.sub("0", word)
    return shape[-2:], shape[-3:], shape[:3]


@dataclass(frozen=True, slots=True)
class Lexicon:
    words: tuple[str, ...]  # row 1, 2, ... of the word table
    vectors: tuple[str, ...]  # the same for the pretrained vectors
    affixes: tuple[tuple[str, ...], ...]  # one list per affix feature
    tags: tuple[str, ...]
    relations: tuple[str, ...]
    classes: Mapping[str, str] = field(default_factory=dict)  # word -> the class it is read as, a row of the word table
    lemmas: Mapping[str, str] = field(default_factory=dict)  # "word class" -> lemma, where the rules are wrong

    def lemma(self, word: str, tag: str) -> str:
        return self.lemmas.get(f"{word} {lemma_rules.word_class(tag)}") or lemma_rules.lemma(word, tag)

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Lexicon:
        raw = json.loads(text)
        lists = {name: tuple(raw[name]) for name in ("words", "vectors", "tags", "relations")}
        spelled = tuple(tuple(part) for part in raw["affixes"])
        return cls(affixes=spelled, classes=raw.get("classes", {}), lemmas=raw["lemmas"], **lists)


class FeatureIndex:
    """Words to rows of the tables.

    The parser we imitate knows grammar, not words: one noun in place of another never changes its tree, as long as both
    can only be nouns (634 of 634 pairs of captions in our data that differ in one such word). So words with one tag are
    read as that tag's class, all alike.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._words = _rows(lexicon.words)
        self._vectors = _rows(lexicon.vectors)
        self._affixes = [_rows(part) for part in lexicon.affixes]
        self._classes = {word: self._words[name] for word, name in lexicon.classes.items()}

    def rows(self, word: str) -> list[int]:
        word = word.lower()
        if word in self._classes:
            return [self._classes[word], UNKNOWN] + [UNKNOWN] * len(self._affixes)
        found = [self._words.get(word, UNKNOWN), self._vectors.get(word, UNKNOWN)]
        parts = zip(self._affixes, affixes(word), strict=True)
        return found + [table.get(part, UNKNOWN) for table, part in parts]


def _rows(names: Sequence[str]) -> dict[str, int]:
    return {name: row for row, name in enumerate(names, UNKNOWN + 1)}
