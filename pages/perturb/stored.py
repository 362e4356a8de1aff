"""A finished study as bytes and back, so that it is there again after a reload of the page or a restart of the server.

The scores are arrays of the same floating-point numbers, the rest is JSON; nothing is unpickled.
"""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import asdict, astuple, fields
from typing import Any

import numpy as np

from capeval_core import CapEvalError, CaptionItem
from capeval_core.perturb.study import Cell, Study
from capeval_core.perturb.variant import Variant, Variants
from capeval_core.types import StandIn

MOST = 50_000_000  # bytes: of what would be more, scoring starts again after a reload
REST = "rest"


def pack(study: Study) -> bytes:
    """Nothing where it is too large to be kept."""
    rest = {
        "items": [astuple(one) for one in study.items],
        "variants": [astuple(one) for one in study.variants],
        "missing": [[*place, reason] for place, reason in study.variants.missing.items()],
        "cells": [asdict(one) for one in study.cells],
        "signatures": study.signatures,
        "skipped": {key: str(error) for key, error in study.skipped.items()},
        "stand_ins": {key: asdict(one) for key, one in study.stand_ins.items()},
        "keys": list(study.scores),
    }
    arrays: dict[str, Any] = {f"scores {place}": values for place, values in enumerate(study.scores.values())}
    arrays[REST] = np.frombuffer(json.dumps(rest).encode(), dtype=np.uint8)
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue() if file.tell() <= MOST else b""


def unpack(content: bytes) -> Study | None:
    """None where it is no study, or one of another version."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            rest = json.loads(file[REST].tobytes())
            scores = {key: file[f"scores {place}"] for place, key in enumerate(rest["keys"])}
        return _study(rest, scores)
    except (ValueError, KeyError, TypeError, OSError, EOFError, zipfile.BadZipFile):
        return None


def _study(rest: Any, scores: dict[str, Any]) -> Study:
    variants = Variants()
    for item, kind, text, spans, *others in rest["variants"]:
        variants.append(Variant(item, kind, text, tuple((first, last) for first, last in spans), *others))
    variants.missing |= {(item, kind): reason for item, kind, reason in rest["missing"]}
    names = {field.name for field in fields(Cell)}
    return Study(
        tuple(CaptionItem(image, text, tuple(people), system) for image, text, people, system in rest["items"]),
        variants,
        scores,
        tuple(Cell(**{name: one[name] for name in names}) for one in rest["cells"]),
        rest["signatures"],
        {key: CapEvalError(text) for key, text in rest["skipped"].items()},
        {key: StandIn(**one | {"unfit_for": tuple(one["unfit_for"])}) for key, one in rest["stand_ins"].items()},
    )
