"""Our GRU against torch's own: states and gradients."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence

from capeval_core.resources.gru import Gru, Packed

LENGTHS = torch.tensor([6, 4, 4, 1])


def weights(gru: Gru | nn.GRU) -> list[Tensor]:
    if isinstance(gru, Gru):
        return [gru.input.weight, gru.input.bias, gru.weight, gru.bias]
    named = dict(gru.named_parameters())
    return [named[name] for name in ("weight_ih_l0", "bias_ih_l0", "weight_hh_l0", "bias_hh_l0")]


def run(gru: Gru | nn.GRU, table: nn.Embedding, rows: Tensor, start: Tensor) -> dict[str, Tensor]:
    """Outputs, and the gradients of a loss made of all of them."""
    table.zero_grad()
    state = start.clone().requires_grad_()
    if isinstance(gru, Gru):
        after, last = gru(table, Packed(rows, LENGTHS), state)
    else:
        packed, lasts = gru(pack_padded_sequence(table(rows), LENGTHS, batch_first=True), state[None])
        after, last = packed.data, lasts[0]
    (after.sin().sum() + last.cos().sum()).backward()
    gradients = {f"weight {number}": one.grad for number, one in enumerate(weights(gru))}
    found = {"after": after, "last": last, "state": state.grad, "words": table.weight.grad, **gradients}
    return {name: value.clone() for name, value in found.items() if value is not None}


def test_states_and_gradients_are_those_of_torch() -> None:
    torch.manual_seed(0)
    ours, table = Gru(5, 7).double(), nn.Embedding(11, 5).double()
    nn.init.normal_(ours.bias)
    theirs = nn.GRU(5, 7, batch_first=True).double()
    for one, other in zip(weights(ours), weights(theirs), strict=True):
        other.data = one.detach().clone()
    rows, start = torch.randint(0, 11, (4, 6)), torch.randn(4, 7).double()
    found, wanted = (run(gru, table, rows, start) for gru in (ours, theirs))
    assert len(found) == len(wanted) == 8
    for name, value in found.items():
        torch.testing.assert_close(value, wanted[name], rtol=1e-10, atol=1e-12)


def test_the_last_state_is_that_after_the_captions_last_word() -> None:
    torch.manual_seed(0)
    gru, table = Gru(3, 4), nn.Embedding(9, 3)
    rows = torch.tensor([[1, 2, 3], [4, 0, 0]])
    after, last = gru(table, Packed(rows, torch.tensor([3, 1])), torch.zeros(2, 4))
    assert torch.equal(last[0], after[3])  # packed: both first words, then the others of the longer caption
    assert torch.equal(last[1], after[1])
