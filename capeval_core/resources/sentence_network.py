"""I2CE's network: a GRU reads a caption into one vector, another GRU writes the caption again from that vector.

After Zeng et al. 2021, equations 1 to 5. The vector is the reader's last state. The writer starts from it and is
given the words before (teacher forcing); its output words are tied to the table of input words.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from capeval_core import pace
from capeval_core.resources.caption_network import Table
from capeval_core.resources.gru import Gru, Packed

PAD, UNKNOWN, START, END = range(4)  # the first rows of the table of words
SPECIAL = 4


@dataclass(frozen=True, slots=True)
class SentenceConfig:
    words: int  # rows of the table, special ones included
    embedding: int = 200
    hidden: int = 300


class SentenceNetwork(nn.Module):
    def __init__(self, config: SentenceConfig) -> None:
        super().__init__()
        self.config = config
        self.word = Table(config.words, config.embedding)
        self.reader = Gru(config.embedding, config.hidden)
        self.writer = Gru(config.embedding, config.hidden)
        self.output = nn.Linear(config.hidden, config.embedding)
        self.bias = nn.Parameter(torch.zeros(config.words))
        if not self.word.weight.is_meta:
            nn.init.normal_(self.word.weight, std=config.embedding**-0.5)

    def read(self, rows: Tensor, lengths: Tensor) -> Tensor:
        """The vectors of captions: rows (captions, words) filled up with PAD, the longest caption first."""
        state = self.bias.new_zeros(len(rows), self.config.hidden)
        vectors: Tensor = self.reader(self.word, Packed(rows, lengths), state)[1]
        return vectors

    def write(self, vectors: Tensor, rows: Tensor, lengths: Tensor) -> Tensor:
        """What the writer is about to say at each word and at the end, as points among the words' vectors.

        One row per word, in the order of targets().
        """
        before = torch.cat([rows.new_full((len(rows), 1), START), rows], dim=1)
        said, _ = self.writer(self.word, Packed(before, lengths + 1), vectors)
        points: Tensor = self.output(said)
        return points

    def scores(self, points: Tensor, words: Tensor | None = None) -> Tensor:
        """Of every word of the vocabulary, or of those in `words`."""
        if words is None:
            return points @ self.word.weight.T + self.bias
        chosen: Tensor = self.word(words)
        return points @ chosen.T + self.bias[words]

    @torch.inference_mode()
    def say(self, vectors: Tensor, longest: int) -> list[list[int]]:
        """Captions written from vectors alone, the likeliest word each time; at most `longest` words."""
        state, each = vectors, torch.ones(len(vectors), dtype=torch.long)
        word = torch.full((len(vectors), 1), START, device=vectors.device)
        said: list[list[int]] = [[] for _ in range(len(vectors))]
        ended = [False] * len(said)
        for _ in pace.each(range(longest)):
            state = self.writer(self.word, Packed(word, each), state)[1]
            scores = self.scores(self.output(state))
            scores[:, [PAD, START]] = -torch.inf
            word = scores.argmax(-1, keepdim=True)
            for place, row in enumerate(word[:, 0].tolist()):
                ended[place] = ended[place] or row == END
                if not ended[place]:
                    said[place].append(row)
            if all(ended):
                break
        return said


def targets(rows: Tensor, lengths: Tensor) -> Tensor:
    """What the writer should say: each caption's words, then END; in the order of `SentenceNetwork.write`."""
    wanted = torch.cat([rows, rows.new_full((len(rows), 1), PAD)], dim=1)
    wanted[torch.arange(len(rows)), lengths] = END
    return Packed(wanted, lengths + 1).rows
