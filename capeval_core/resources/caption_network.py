"""The caption parser's network: three BiLSTM layers and biaffine attention, with the tags decided half-way.

After Dozat & Manning 2017, "Deep Biaffine Attention for Neural Dependency Parsing". The second layer decides the tags;
what it believes about them goes into the third, which decides heads and relations.
A batch holds sentences of one length only. So there is no padding: nothing to mask, and a sentence's scores do not
depend on its neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from capeval_core import pace
from capeval_core.resources.linear import linear


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    words: int  # rows of each table; row 0 of every table means "unknown"
    vectors: int
    affixes: tuple[int, ...]
    tags: int
    relations: int
    word_size: int = 100
    vector_size: int = 50
    affix_size: int = 24
    hidden: int = 256
    tag_size: int = 48
    arc_size: int = 256
    relation_size: int = 96
    input_dropout: float = 0.25
    layer_dropout: float = 0.35
    mlp_dropout: float = 0.35


class Biaffine(nn.Module):
    """Scores a bilinear product of dependents and heads, each with a constant 1 added, for `outputs` classes."""

    def __init__(self, size: int, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(outputs, size + 1, size + 1))

    def all_pairs(self, dependents: Tensor, heads: Tensor) -> Tensor:  # (b, n, d), (b, m, d) -> (b, n, m); one class
        return (_with_one(dependents) @ self.weight[0]) @ _with_one(heads).transpose(1, 2)

    def pairwise(self, dependents: Tensor, heads: Tensor) -> Tensor:  # (k, d), (k, d) -> (k, outputs)
        classes, size, _ = self.weight.shape
        mixed = linear(_with_one(dependents), self.weight.transpose(1, 2).reshape(classes * size, size))
        return (mixed.view(-1, classes, size) @ _with_one(heads).unsqueeze(2)).squeeze(2)


class Table(nn.Embedding):
    def reset_parameters(self) -> None:
        if not self.weight.is_meta:  # weights without content: torch would load its compiler, a second, to draw them
            super().reset_parameters()


def _with_one(x: Tensor) -> Tensor:
    return functional.pad(x, (0, 1), value=1.0)


def _same_for_all_words(x: Tensor, rate: float, training: bool) -> Tensor:
    """Dropout with one mask per sentence; x is (words, sentences, size)."""
    if not training or rate == 0:
        return x
    return x * functional.dropout(x.new_ones(1, x.shape[1], x.shape[2]), rate)


class Perceptron(nn.Module):
    def __init__(self, inputs: int, outputs: int, dropout: float) -> None:
        super().__init__()
        self.linear = nn.Linear(inputs, outputs)
        nn.init.orthogonal_(self.linear.weight)
        self.dropout = dropout

    def forward(self, x: Tensor) -> Tensor:
        return _same_for_all_words(
            functional.leaky_relu(linear(x, self.linear.weight, self.linear.bias), 0.1), self.dropout, self.training
        )


def _lstm(inputs: int, hidden: int) -> nn.LSTM:
    layer = nn.LSTM(inputs, hidden, bidirectional=True)
    for name, parameter in layer.named_parameters():
        if "weight" in name:
            for gate in parameter.data.chunk(4):
                nn.init.orthogonal_(gate)
        else:
            nn.init.zeros_(parameter)
    return layer


class CaptionNetwork(nn.Module):
    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        self.word = Table(config.words, config.word_size)
        self.vector = Table(config.vectors, config.vector_size)  # pretrained, never trained
        self.vector.weight.requires_grad_(False)
        self.affix = nn.ModuleList(Table(rows, config.affix_size) for rows in config.affixes)
        inputs = config.word_size + config.vector_size + config.affix_size * len(config.affixes)
        both = 2 * config.hidden
        self.first, self.second = _lstm(inputs, config.hidden), _lstm(both, config.hidden)
        self.third = _lstm(both + config.tag_size, config.hidden)
        self.tag = nn.Linear(both, config.tags)
        self.tag_vector = nn.Linear(config.tags, config.tag_size, bias=False)
        self.arc_dependent = Perceptron(both, config.arc_size, config.mlp_dropout)
        self.arc_head = Perceptron(both, config.arc_size, config.mlp_dropout)
        self.relation_dependent = Perceptron(both, config.relation_size, config.mlp_dropout)
        self.relation_head = Perceptron(both, config.relation_size, config.mlp_dropout)
        self.root = nn.Parameter(torch.zeros(config.arc_size))
        self.relation_root = nn.Parameter(torch.zeros(config.relation_size))
        self.arc = Biaffine(config.arc_size, 1)
        self.relation = Biaffine(config.relation_size, config.relations)
        for table in (self.word, *self.affix):
            if not table.weight.is_meta:
                nn.init.normal_(table.weight, std=0.5)

    def embed(self, features: Tensor) -> Tensor:
        """features: (sentences, words, 2 + number of affixes), rows of the tables."""
        parts = [self.word(features[..., 0]), self.vector(features[..., 1])]
        parts += [table(features[..., 2 + i]) for i, table in enumerate(self.affix)]
        return functional.dropout(torch.cat(parts, dim=-1), self.config.input_dropout, self.training)

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Tag scores (b, n, tags), head scores (b, n, n + 1; head 0 is the root) and the inputs of `relations`."""
        rate, training = self.config.layer_dropout, self.training
        x = self.embed(features).transpose(0, 1).contiguous()
        x = _same_for_all_words(self.first(x)[0], rate, training)
        pace.look()  # each layer takes a tenth of a second
        x = _same_for_all_words(self.second(x)[0], rate, training)
        pace.look()
        tags = self.tag(x)
        x = torch.cat([x, self.tag_vector(tags.softmax(-1))], dim=-1)
        x = _same_for_all_words(self.third(x)[0], rate, training)
        pace.look()
        heads = self._with_root(self.arc_head(x), self.root)
        arcs = self.arc.all_pairs(self.arc_dependent(x).transpose(0, 1), heads)
        relation_heads = self._with_root(self.relation_head(x), self.relation_root)
        return tags.transpose(0, 1), arcs, self.relation_dependent(x).transpose(0, 1), relation_heads

    def relations(self, dependents: Tensor, heads: Tensor, chosen: Tensor) -> Tensor:
        """Relation scores (b, n, relations) of every word with its chosen head (b, n)."""
        size = heads.shape[-1]
        picked = heads.gather(1, chosen.unsqueeze(-1).expand(-1, -1, size))
        scores = self.relation.pairwise(dependents.reshape(-1, size), picked.reshape(-1, size))
        return scores.view(*chosen.shape, -1)

    @staticmethod
    def _with_root(heads: Tensor, root: Tensor) -> Tensor:  # (n, b, d) -> (b, n + 1, d)
        return torch.cat([root.expand(1, heads.shape[1], -1), heads]).transpose(0, 1)
