"""What the sentences of the learned metrics say, each with its check."""

from __future__ import annotations

import re
from typing import Any

from capeval_core import registry
from tests.figures.truth.claims import Claim, claim, is_number, is_share

ONE = r"[\w+-]+ \([+-]\d+\.\d\d\)"


def _gives(m: re.Match[str], e: Any) -> bool:
    return (
        m.group(1) == registry.get(e.key).label
        and is_share(m.group(2), e.value)
        and is_number(m.group(3), e.log_odds)
        and is_number(m.group(4), e.start)
        and abs(e.start + sum(one.push for one in e.features) - e.log_odds) < 1e-9
    )


def _most(text: str, e: Any, sign: int) -> bool:
    """The one or two that push farthest to that side, the first one first."""
    said = re.findall(r"([\w+-]+) \(([+-]\d+\.\d\d)\)", text)
    pushes = sorted((-sign * one.push, registry.get(one.key).label) for one in e.features if sign * one.push >= 0.005)
    expected = [(label, f"{-sign * push:+.2f}") for push, label in pushes]
    return said == expected[:2] and bool(said)


NNEVAL: tuple[Claim, ...] = (
    claim(
        "nneval gives",
        r"(NNEval\+?) gives a person <SHARE>: log-odds <NUMBER>, where the mean caption of its training has <NUMBER>",
        lambda m, e, v: _gives(m, e),
    ),
    claim(
        "nneval raised",
        rf"\. They are raised most by ({ONE}(?: and {ONE})?)",
        lambda m, e, v: _most(m.group(1), e, 1),
    ),
    claim(
        "nneval lowered",
        rf"(?:\. They are| and) lowered most by ({ONE}(?: and {ONE})?)",
        lambda m, e, v: _most(m.group(1), e, -1),
    ),
    claim(
        "nneval unmoved",
        r"\. No score moves them",
        lambda m, e, v: all(abs(one.push) < 0.005 for one in e.features),
    ),
)
