"""How far the estimate of MIMA and SPURTS may be off: measured when it was fitted, shipped inside its file.

capeval_core/training/flow_estimate_error.py measures it. Reads the head of the file only; loads no model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from capeval_core.resources import files
from capeval_core.resources.loading import load_once

ABOUT, NAME = "about", "reliability"  # the entry of the file's metadata, and its part of it


@dataclass(frozen=True, slots=True)
class Reliability:
    """By metric key ("smurf" too); all of captions whose wording the fitted models had not seen."""

    share: float  # of captions whose estimate is no farther off than `error`
    error: Mapping[str, float]
    mean_error: Mapping[str, float]  # the largest of a captioner's mean, when no caption of it was learned from
    likeness: float  # of a caption to the nearest one learned from, 0 to 1; below this it is unlike all of them
    unlike: float  # the share of captions that were below it
    unlike_error: Mapping[str, float]  # of those, as `error`
    unfit_for: Mapping[str, tuple[str, ...]]  # kinds of change it is not fit for, or not known to be

    @classmethod
    def of(cls, raw: dict[str, Any]) -> Reliability:
        raw["unfit_for"] = {key: tuple(kinds) for key, kinds in raw["unfit_for"].items()}
        return cls(**raw)


def reliability() -> Reliability | None:
    """Of the estimate in use; None where its file says nothing (somebody's own)."""
    return load(files.locate("typicality"))


@load_once()
def load(path: Path) -> Reliability | None:
    from safetensors import safe_open  # here: options are read without it

    with safe_open(path, framework="numpy") as file:
        found = json.loads((file.metadata() or {}).get(ABOUT, "{}")).get(NAME)
    return Reliability.of(found) if found else None
