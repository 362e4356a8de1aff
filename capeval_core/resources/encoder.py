"""A BERT-like encoder in plain torch: BERT, RoBERTa and DistilBERT from the tensors of their safetensors file.

Loading the transformers library takes seconds and its forward pass computes the last layer to the end; the metrics need
attention and hidden states layer by layer. tests/resources/test_transformer.py compares both.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from capeval_core import pace
from capeval_core.resources.linear import linear

# A layer's parts, by the name each family gives them.
BERT = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "mix": "attention.output.dense",
    "mix_norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "down_norm": "output.LayerNorm",
}
DISTILBERT = {
    "query": "attention.q_lin",
    "key": "attention.k_lin",
    "value": "attention.v_lin",
    "mix": "attention.out_lin",
    "mix_norm": "sa_layer_norm",
    "up": "ffn.lin1",
    "down": "ffn.lin2",
    "down_norm": "output_layer_norm",
}
FAMILIES = {"bert": BERT, "roberta": BERT, "xlm-roberta": BERT, "camembert": BERT, "distilbert": DISTILBERT}
COUNTS_FROM_PADDING = ("roberta", "xlm-roberta", "camembert")  # positions skip padding and begin after its id


@dataclass(frozen=True, slots=True)
class Step:
    """A layer on its way: what enters it, and how it attends. Of the last step there is no attention."""

    hidden: Tensor  # (captions, tokens, dims)
    attention: Tensor | None  # (captions, heads, tokens, tokens); rows add up to 1


Layer = dict[str, tuple[Tensor, Tensor]]  # part -> weight, bias


class Encoder:
    def __init__(self, config: Mapping[str, Any], weights: Mapping[str, Tensor], device: str) -> None:
        parts = FAMILIES[config["model_type"]]
        self.heads = int(config.get("num_attention_heads") or config["n_heads"])
        self.padding = int(config.get("pad_token_id", 0))
        self._from_padding = config["model_type"] in COUNTS_FROM_PADDING
        self._epsilon = float(config.get("layer_norm_eps", 1e-12))
        named: dict[str, Tensor] = {}
        for name, tensor in weights.items():
            plain = re.sub(r"^(bert|roberta|distilbert)\.", "", name).replace("gamma", "weight").replace("beta", "bias")
            named[plain] = tensor.to(device=device, dtype=torch.float32)
        self._words = named["embeddings.word_embeddings.weight"]
        self._positions = named["embeddings.position_embeddings.weight"]
        kinds = named.get("embeddings.token_type_embeddings.weight")
        self._kind = kinds[0] if kinds is not None else torch.zeros((), device=device)
        self._norm = named["embeddings.LayerNorm.weight"], named["embeddings.LayerNorm.bias"]
        stem = "transformer.layer" if config["model_type"] == "distilbert" else "encoder.layer"
        count = int(config.get("num_hidden_layers") or config["n_layers"])
        self.layers: list[Layer] = [
            {
                part: (named[f"{stem}.{number}.{name}.weight"], named[f"{stem}.{number}.{name}.bias"])
                for part, name in parts.items()
            }
            for number in range(count)
        ]

    @property
    def limit(self) -> int:
        """The most tokens of one text."""
        return len(self._positions) - (self.padding + 1 if self._from_padding else 0)

    def steps(self, ids: Tensor, keys: Tensor | None = None, layers: int | None = None) -> Iterator[Step]:
        """One step per layer and one for what leaves the last; each is computed when asked for.

        `keys` (captions, tokens) says which tokens may be attended to; all of them for None. `layers` ends it early.
        """
        hidden = self._normalise(self._words[ids] + self._positions[self._places(ids)] + self._kind, self._norm)
        blocked = None if keys is None else ~keys[:, None, :, None]
        for layer in pace.each(self.layers[:layers]):
            query, key = self._split(hidden, layer["query"]), self._split(hidden, layer["key"])
            attention = _attend(query, key, blocked)
            yield Step(hidden, attention)
            seen = (attention @ self._split(hidden, layer["value"])).transpose(1, 2).flatten(2)
            hidden = self._leave(layer, seen, hidden)
        yield Step(hidden, None)

    def first(self, ids: Tensor, wanted: Tensor) -> Tensor:
        """(wanted tokens, dims): what leaves the first layer, of those tokens only, and nothing else is computed.

        What enters that layer depends on a token and its place alone, so that each such pair is projected once.
        """
        layer = self.layers[0]
        places = self._places(ids).expand_as(ids)
        pairs, number = torch.unique(ids * len(self._positions) + places, return_inverse=True)
        words, at = pairs // len(self._positions), pairs % len(self._positions)
        entering = self._normalise(self._words[words] + self._positions[at] + self._kind, self._norm)
        query, key, value = (
            linear(entering, *layer[part])[number].view(*ids.shape, self.heads, -1).transpose(1, 2)
            for part in ("query", "key", "value")
        )
        seen = (_attend(query, key) @ value).transpose(1, 2).flatten(2)[wanted]
        pace.look()
        return self._leave(layer, seen, entering[number[wanted]])

    def _leave(self, layer: Layer, seen: Tensor, hidden: Tensor) -> Tensor:
        """The rest of a layer, which each token goes through by itself."""
        hidden = self._normalise(linear(seen, *layer["mix"]) + hidden, layer["mix_norm"])
        raised = linear(hidden, *layer["up"], gelu=True)
        return self._normalise(linear(raised, *layer["down"]) + hidden, layer["down_norm"])

    def _places(self, ids: Tensor) -> Tensor:
        if self._from_padding:
            real = (ids != self.padding).long()
            return real.cumsum(1) * real + self.padding
        return torch.arange(ids.shape[1], device=ids.device)

    def _split(self, hidden: Tensor, part: tuple[Tensor, Tensor]) -> Tensor:
        found = linear(hidden, *part)
        return found.view(*found.shape[:2], self.heads, -1).transpose(1, 2)

    def _normalise(self, hidden: Tensor, norm: tuple[Tensor, Tensor]) -> Tensor:
        return functional.layer_norm(hidden, hidden.shape[-1:], *norm, eps=self._epsilon)


def _attend(query: Tensor, key: Tensor, blocked: Tensor | None = None) -> Tensor:
    """Captions are short: a softmax down the columns, not along the rows, takes 6 % off a pass through MiniLM."""
    scores = key @ (query / math.sqrt(query.shape[-1])).transpose(-1, -2)
    if blocked is not None:
        scores = scores.masked_fill(blocked, torch.finfo(scores.dtype).min)
    return scores.softmax(-2).transpose(-1, -2)


class LibraryEncoder:
    """Any other architecture, run by the transformers library; `steps` as in Encoder."""

    def __init__(self, folder: str, config: Mapping[str, Any], device: str) -> None:
        from transformers import AutoModel

        load: Callable[..., Any] = AutoModel.from_pretrained
        self._model = load(folder, attn_implementation="eager", local_files_only=True, use_safetensors=True)
        self._model = self._model.float().eval().to(device)
        self.heads = int(self._model.config.num_attention_heads)
        self.padding = int(config.get("pad_token_id") or 0)
        self.layers = [None] * int(self._model.config.num_hidden_layers)
        self.limit = int(getattr(self._model.config, "max_position_embeddings", 512))

    def steps(self, ids: Tensor, keys: Tensor | None = None, layers: int | None = None) -> Iterator[Step]:
        mask = torch.ones_like(ids) if keys is None else keys.long()
        found = self._model(input_ids=ids, attention_mask=mask, output_attentions=True, output_hidden_states=True)
        attentions = (*found.attentions[:layers], None)
        yield from map(Step, found.hidden_states[: len(attentions)], attentions)

    def first(self, ids: Tensor, wanted: Tensor) -> Tensor:
        *_, last = self.steps(ids, layers=1)
        return last.hidden[wanted]
