"""The caption parser: tags, lemmas and dependency trees as CoreNLP 3.6.0 would give them, from a small network.

It learned from CoreNLP's parses of captions (see data/caption_parser.md, the model card). The original never splits a
caption into sentences (none of 126,000 in our data), so neither does this; only overlong captions are cut into windows.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open

from capeval_core import pace
from capeval_core.errors import MissingResource
from capeval_core.resources import files
from capeval_core.resources.caption_lexicon import UNKNOWN, FeatureIndex, Lexicon
from capeval_core.resources.caption_network import CaptionNetwork, NetworkConfig
from capeval_core.resources.device import threads
from capeval_core.resources.loading import load_once
from capeval_core.text import trees
from capeval_core.text.parse import Parse

WINDOW = 150  # words; the work for a sentence grows with the square of its length
BATCH_WORDS = 3_000
# CoreNLP adds a full stop after these at the end of a caption, but not after "st.", "ave.", "t.v." and others.
GETS_FULL_STOP = frozenset(("rd.", "etc.", "ct.", "penn.", "blvd.", "ky."))

Words = tuple[str, ...]


class CaptionParser:
    """Parses do not depend on what else is parsed: a batch holds sentences of one length, so nothing is padded."""

    def __init__(self, network: CaptionNetwork, lexicon: Lexicon, device: str = "cpu") -> None:
        self.network = network.eval().to(device)
        self._device = device
        self._lexicon = lexicon
        self._index = FeatureIndex(lexicon)
        self._rows: dict[str, list[int]] = {}
        self._lemmas: dict[tuple[str, str], str] = {}
        self._root = lexicon.relations.index("root")

    @classmethod
    def load(cls, path: Path, device: str = "cpu") -> CaptionParser:
        # Batches run side by side, each operation on one core: torch's own threads wait for one another without sleep,
        # and on a busy machine everything comes to a near stop (a hundred times slower was measured).
        torch.set_num_threads(1)
        try:
            with safe_open(path, "pt") as file:
                metadata = file.metadata()
                weights = {name: file.get_tensor(name).float() for name in file.keys()}
        except (OSError, SafetensorError) as error:
            fix = files.RESOURCES["caption-parser"].fix
            raise MissingResource(f"caption parser: {path} cannot be read ({error})", fix=fix) from error
        raw = json.loads(metadata["config"])
        with torch.device("meta"):  # no weights are drawn only to be replaced
            network = CaptionNetwork(NetworkConfig(**{**raw, "affixes": tuple(raw["affixes"])}))
        network.load_state_dict(weights, assign=True)
        return cls(network, Lexicon.from_json(metadata["lexicon"]), device)

    def parse(self, captions: Sequence[str]) -> list[tuple[Parse, ...]]:
        """One tuple of sentences per COCO-tokenized caption; none for a caption without words."""
        cut = {caption: sentences(caption) for caption in dict.fromkeys(captions)}
        parses = self._parse_all({words for windows in cut.values() for words in windows})
        return [tuple(parses[words] for words in cut[caption]) for caption in captions]

    def _parse_all(self, wanted: Iterable[Words]) -> dict[Words, Parse]:
        by_length: dict[int, list[Words]] = defaultdict(list)
        for words in sorted(wanted):
            by_length[len(words)].append(words)
        batches = []
        for length, group in sorted(by_length.items()):
            size = max(1, BATCH_WORDS // length)
            batches += [group[start : start + size] for start in range(0, len(group), size)]
        parses = pace.side_by_side(self._parse_batch, batches, threads())
        return dict(zip(chain.from_iterable(batches), chain.from_iterable(parses), strict=True))

    @torch.inference_mode()
    def _parse_batch(self, batch: Sequence[Words]) -> list[Parse]:
        rows = [[self._features(word) for word in words] for words in pace.each(batch)]
        features = torch.tensor(rows, device=self._device)
        tags, arcs, dependents, heads = self.network(features)
        pace.look()
        chosen = torch.from_numpy(trees.choose_heads(arcs.cpu().numpy())).to(self._device)
        scores = self.network.relations(dependents, heads, chosen)
        scores[..., self._root] = -torch.inf
        relations = scores.argmax(-1).masked_fill(chosen == 0, self._root)
        columns = zip(batch, tags.argmax(-1).tolist(), chosen.tolist(), relations.tolist(), strict=True)
        return [self._as_parse(*column) for column in pace.each(columns)]

    def knows(self, word: str) -> bool:
        """Was the word among the captions it learned from?"""
        return self._features(word)[0] != UNKNOWN

    def _features(self, word: str) -> list[int]:
        rows = self._rows.get(word)
        if rows is None:
            rows = self._rows[word] = self._index.rows(word)
        return rows

    def _as_parse(self, words: Words, tag_rows: list[int], heads: list[int], relation_rows: list[int]) -> Parse:
        tags = tuple(self._lexicon.tags[row] for row in tag_rows)
        relations = tuple(self._lexicon.relations[row] for row in relation_rows)
        lemmas = tuple(self._lemma(word, tag) for word, tag in zip(words, tags, strict=True))
        return Parse(words, tags, lemmas, tuple(heads), relations)

    def _lemma(self, word: str, tag: str) -> str:
        found = self._lemmas.get((word, tag))
        if found is None:
            found = self._lemmas[word, tag] = self._lexicon.lemma(word, tag)
        return found


def sentences(caption: str) -> tuple[Words, ...]:
    """The caption's words as CoreNLP reads them, in windows."""
    words = [word for word in caption.split(" ") if word]
    if words and words[-1] in GETS_FULL_STOP:
        words.append(".")
    return tuple(tuple(words[start : start + WINDOW]) for start in range(0, len(words), WINDOW))


@load_once(keep=2)
def caption_parser(device: str = "cpu") -> CaptionParser:
    """The shipped parser (or the user's own), loaded once per process and device."""
    return CaptionParser.load(files.locate("caption-parser"), device)
