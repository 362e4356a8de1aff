"""A GRU (Cho et al. 2014; equations 1 to 4 of the I2CE paper, as torch has it) over captions of several lengths.

torch's own adds to the gradient of its weights at every word, and multiplies every occurrence of a word anew. Here the
input side is made once for each distinct word and the weights' gradient once per batch: on one core a step of training
takes little more than half the time. tests/resources/test_gru.py compares it with torch's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence


class Packed:
    """Rows (captions, words), the longest caption first, without padding: all first words, then all second ones."""

    def __init__(self, rows: Tensor, lengths: Tensor) -> None:
        found = pack_padded_sequence(rows, lengths.cpu(), batch_first=True)
        self.rows: Tensor = found.data
        self.sizes: list[int] = found.batch_sizes.tolist()  # captions that have a first word, a second one, ...


class Gru(nn.Module):
    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.input = nn.Linear(inputs, 3 * hidden)  # reset gate, update gate, new state
        self.weight = nn.Parameter(torch.empty(3 * hidden, hidden))
        self.bias = nn.Parameter(torch.zeros(3 * hidden))
        if not self.weight.is_meta:
            for gate in self.weight.data.chunk(3):
                nn.init.orthogonal_(gate)

    def forward(self, table: nn.Embedding, packed: Packed, state: Tensor) -> tuple[Tensor, Tensor]:
        """The state after each word (packed) and after each caption's last one."""
        words, places = packed.rows.unique(return_inverse=True)  # type: ignore[no-untyped-call]
        gates = functional.embedding(places, self.input(table(words)))
        after, last = Recurrence.apply(gates, state, self.weight, self.bias, packed.sizes)  # type: ignore[no-untyped-call]
        return after, last


class Recurrence(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, gates: Tensor, state: Tensor, weight: Tensor, bias: Tensor, sizes: Sequence[int]
    ) -> tuple[Tensor, Tensor]:
        size = weight.shape[1]
        before, after = gates.new_empty(len(gates), size), gates.new_empty(len(gates), size)
        opened, fresh, inner = gates.new_empty(len(gates), 2 * size), torch.empty_like(before), torch.empty_like(before)
        last, done = state.clone(), 0
        turned = weight.T.contiguous()
        for count in sizes:
            now = slice(done, done + count)
            before[now] = last[:count]
            own = torch.addmm(bias, before[now], turned)
            torch.sigmoid(gates[now, : 2 * size] + own[:, : 2 * size], out=opened[now])
            reset, update = opened[now, :size], opened[now, size:]
            inner[now] = own[:, 2 * size :]
            torch.tanh(torch.addcmul(gates[now, 2 * size :], reset, inner[now]), out=fresh[now])
            torch.lerp(fresh[now], before[now], update, out=after[now])
            last[:count] = after[now]
            done += count
        ctx.save_for_backward(before, opened, fresh, inner, weight)
        ctx.sizes = tuple(sizes)
        return after, last

    @staticmethod
    def backward(ctx: Any, after: Tensor, last: Tensor) -> tuple[Tensor | None, ...]:
        before, opened, fresh, inner, weight = ctx.saved_tensors
        size = weight.shape[1]
        reset, update = opened[:, :size], opened[:, size:]
        # What one unit of a state's gradient gives to each gate's input.
        to_fresh = (1 - update) * (1 - fresh * fresh)
        to_update = (before - fresh) * update * (1 - update)
        to_reset = to_fresh * inner * reset * (1 - reset)
        gates, past_reset = before.new_empty(len(before), 3 * size), torch.empty_like(before)
        flow, done = last.clone(), len(before)
        for count in reversed(ctx.sizes):
            now = slice(done - count, done)
            here = flow[:count] + after[now]
            torch.mul(here, to_reset[now], out=gates[now, :size])
            torch.mul(here, to_update[now], out=gates[now, size : 2 * size])
            torch.mul(here, to_fresh[now], out=past_reset[now])
            torch.mul(past_reset[now], reset[now], out=gates[now, 2 * size :])
            flow[:count] = torch.addmm(here * update[now], gates[now], weight)
            done -= count
        to_weight, to_bias = gates.T @ before, gates.sum(0)
        gates[:, 2 * size :] = past_reset  # the input side does not go through the reset gate
        return gates, flow, to_weight, to_bias, None
