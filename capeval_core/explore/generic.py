"""Generic captions: the same words for many images, or a SPURTS far below the other captions'."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from capeval_core.explore.findings import Error
from capeval_core.shared import Shared
from capeval_core.types import Array, CaptionItem

IMAGES = 3  # one captioner's caption of so many images
SHARE = 0.001  # and of at least this share of its images
LOW = 2.0  # a SPURTS so many standard deviations below the mean of all captions


def generic(items: Sequence[CaptionItem], shared: Shared, spurts: Array | None = None) -> dict[int, Error]:
    """By row."""
    images: dict[tuple[str, str], set[str]] = defaultdict(set)
    all_images: dict[str, set[str]] = defaultdict(set)
    texts = [shared.tokens(item.candidate) for item in items]
    for item, text in zip(items, texts, strict=True):
        images[item.system, text].add(item.image_id)
        all_images[item.system].add(item.image_id)
    found: dict[int, Error] = {}
    for row, (item, text) in enumerate(zip(items, texts, strict=True)):
        count, total = len(images[item.system, text]), len(all_images[item.system])
        if count >= max(IMAGES, SHARE * total):
            evidence = f"{count} of {total:,} images have this caption."
            found[row] = Error("generic", item.candidate.strip(), round(min(1.0, 0.3 + count / 20), 3), evidence)
    return found | _low(items, spurts, found) if spurts is not None else found


def _low(items: Sequence[CaptionItem], spurts: Array, known: dict[int, Error]) -> dict[int, Error]:
    defined = spurts[np.isfinite(spurts)]
    if len(defined) < 20:
        return {}
    bound = float(defined.mean() - LOW * defined.std())
    rows = [row for row in np.flatnonzero(spurts < bound).tolist() if row not in known]
    return {
        row: Error(
            "generic",
            items[row].candidate.strip(),
            round(min(1.0, 0.3 + float(bound - spurts[row]) / (float(defined.std()) or 1.0)), 3),
            f"Its SPURTS is {spurts[row]:.2f}; nearly all captions here have {bound:.2f} or more.",
        )
        for row in rows
    }
