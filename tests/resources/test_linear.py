"""The products by oneDNN are torch's own, to rounding; gradients and other precisions go torch's own way."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional

from capeval_core.resources.linear import linear


@pytest.mark.parametrize("gelu", [False, True])
@pytest.mark.parametrize("shape", [(1, 48), (7, 13, 48), (2, 0, 48)])
@pytest.mark.parametrize("biased", [False, True])
def test_it_is_the_product_that_torch_computes(shape: tuple[int, ...], gelu: bool, biased: bool) -> None:
    torch.manual_seed(1)
    rows, weight, bias = torch.randn(shape), torch.randn(20, 48), torch.randn(20) if biased else None
    wide = functional.linear(rows.double(), weight.double(), None if bias is None else bias.double())
    with torch.inference_mode():
        found = linear(rows, weight, bias, gelu)
    assert found.shape == (*shape[:-1], 20)
    torch.testing.assert_close(found.double(), functional.gelu(wide) if gelu else wide, atol=2e-5, rtol=0)


def test_gradients_flow() -> None:
    weight = torch.randn(3, 4, requires_grad=True)
    (found,) = torch.autograd.grad(linear(torch.ones(2, 4), weight, gelu=True).sum(), weight)
    assert found.abs().sum() > 0


def test_another_precision_can_be_asked_for() -> None:
    rows, weight = torch.randn(5, 48), torch.randn(20, 48)
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        found = linear(linear(rows, weight), weight.T.contiguous(), gelu=True)
    assert found.dtype == torch.bfloat16
