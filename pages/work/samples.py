"""The scenes of assets/samples/: an image, five people's captions of it, and four captioners' attempts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from capeval_core import CaptionItem, MissingResource

FOLDER = Path(__file__).parents[2] / "assets" / "samples"
SYSTEMS = ("careful", "generic", "hallucinating", "ungrammatical")  # in every scene
_OURS = "Drawn for CapEval by assets/samples/draw.py"
_PHOTO = "skimage:"  # marks a photograph that scikit-image's wheel brings


@dataclass(frozen=True, slots=True)
class Sample:
    id: str
    title: str
    image: Path
    credit: str
    references: tuple[str, ...]
    candidates: Mapping[str, str]  # captioner -> its caption, in the order of SYSTEMS
    # Table 2 of "Re-evaluating automatic metrics" (Kilickaya et al. 2017): row -> sentence; its one reference is
    # `original`. Empty but for the canoe.
    variants: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_photograph(self) -> bool:
        return self.image.parent != FOLDER


@cache
def samples() -> tuple[Sample, ...]:
    """Every scene, in the order to offer them; the app opens on the first."""
    return tuple(
        Sample(
            id=row["id"],
            title=row["title"],
            image=_image(row["image"]),
            credit=row.get("credit", _OURS),
            references=tuple(row["references"]),
            candidates={system: row["candidates"][system] for system in SYSTEMS},
            variants=row.get("variants", {}),
        )
        for row in json.loads((FOLDER / "samples.json").read_text(encoding="utf-8"))
    )


def as_items() -> list[CaptionItem]:
    """All scenes by all captioners, captioner by captioner within a scene."""
    return [
        CaptionItem(sample.id, caption, sample.references, system)
        for sample in samples()
        for system, caption in sample.candidates.items()
    ]


def _image(name: str) -> Path:
    if not name.startswith(_PHOTO):
        return FOLDER / name
    found = find_spec("skimage")  # finds the wheel without the second that importing it costs
    if found is None or found.origin is None:
        raise MissingResource(
            "The sample photographs are missing",
            expected="scikit-image's data folder",
            found="no package named skimage",
            fix="install the packages of requirements.txt",
        )
    return Path(found.origin).parent / "data" / name.removeprefix(_PHOTO)
