"""Captions by image, to learn from: COCO annotation files, or rows with image_id and captions, references or a caption.

Images that a COCO file marks with `held_out` are left out. Images of two files are different images, also where they
have the same number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from capeval_core.errors import InvalidInput
from capeval_core.io import json_stream, readers, rows, sources
from capeval_core.io.limits import NONE, Limits
from capeval_core.io.sources import Meter, Source

CaptionSet = dict[str, tuple[str, ...]]  # by image
LISTS = ("captions", "references")  # fields that hold several captions of an image; the first that a row has
EXPECTED = "captions (a list), references (a list) or caption"


def read(paths: Sequence[Path], limits: Limits = NONE) -> CaptionSet:
    found: dict[str, dict[str, None]] = {}
    meter = Meter(limits)
    with sources.unzipped([sources.at(path) for path in paths], meter) as (files, _):
        for place, source in enumerate(files):
            before = len(found)
            for image, captions in _captions(source, meter):
                found.setdefault(f"{place}:{image}", {}).update(dict.fromkeys(captions))
            if len(found) == before:
                raise InvalidInput(f"{source.name}: no captions to learn from", expected="at least one image")
    return {image: tuple(captions) for image, captions in found.items()}


def _captions(source: Source, meter: Meter) -> Iterator[tuple[str, Sequence[str]]]:
    if source.kind == ".json" and json_stream.is_object(source):
        held_out = _held_out(source, meter)
        for image, captions in readers.captions_by_image(source, meter).items():
            if image not in held_out:
                yield image, captions
        return
    for where, row in readers.read_rows(source, meter):
        if not isinstance(row, dict):
            raise InvalidInput(where, expected=f"an object with image_id and {EXPECTED}", found=rows.kind(row))
        if row.get("held_out") is not True:
            yield rows.identifier(row, where), _of_row(row, where)


def _of_row(row: dict[str, Any], where: str) -> tuple[str, ...]:
    """The captions that people wrote: of a row of scored captions its references, not the candidate."""
    for name in LISTS:
        if name in row:
            return rows.references(row[name], where, name)
    if "caption" in row:
        return (rows.text(row["caption"], f"{where}: field caption"),)
    raise InvalidInput(f"{where}: no captions", expected=EXPECTED, found=", ".join(row)[:80])


def _held_out(source: Source, meter: Meter) -> set[str]:
    """Image numbers of COCO's list of images with `held_out: true`; a file need not have the list."""
    found: set[str] = set()
    try:
        for image in json_stream.annotation_entries(source, meter, "images"):
            if isinstance(image, dict) and image.get("held_out") is True:
                found.add(str(image.get("id")))
    except InvalidInput as error:
        if "field images" not in error.message:
            raise
    return found
