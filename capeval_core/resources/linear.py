"""Matrix products of the networks, on the CPU by oneDNN.

torch hands them to MKL, which on AMD's processors leaves half of each core unused: a core of a Zen 5 did 118 thousand
million 32-bit operations a second with MKL and 265 with oneDNN, which is part of torch too.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

_HAS_ONEDNN = bool(torch._C._has_mkldnn) and hasattr(torch.ops.mkldnn, "_linear_pointwise")


def linear(rows: Tensor, weight: Tensor, bias: Tensor | None = None, gelu: bool = False) -> Tensor:
    if _HAS_ONEDNN and rows.device.type == "cpu" and _is_plain():
        found: Tensor = torch.ops.mkldnn._linear_pointwise(rows, weight, bias, "gelu" if gelu else "none", [], "none")
        return found
    found = functional.linear(rows, weight, bias)
    return functional.gelu(found) if gelu else found


def _is_plain() -> bool:
    """Neither gradients nor another precision is wanted."""
    return torch.is_inference_mode_enabled() and not torch.is_autocast_enabled("cpu")
