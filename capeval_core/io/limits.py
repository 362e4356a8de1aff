"""How much is too much: the limits of what a visitor of the app may bring. The command line reads without any."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Limits:
    captions: int
    captioners: int
    references: int  # of one caption
    characters: int  # of one caption or reference
    name: int  # characters of a name: captioner, image, column
    columns: int  # besides captions, references and scores
    annotations: int  # captions of a COCO annotation file
    files: int  # given at once
    entries: int  # of an archive
    upload: int  # bytes of a file as it is sent
    unpacked: int  # bytes of all files, unpacked
    row: int  # bytes of one row
    images: int
    image: int  # bytes of one image
    pixels: int  # of one image
    workspace: int  # bytes of a saved workspace
    manifest: int  # bytes of the text in it
    candidates: int  # captions in it
    memory: int  # bytes a Parquet file may take while it is decoded


_MANY = 2**62  # more than any file has, and still a size that the readers of the standard library take

APP = Limits(
    captions=50_000,
    captioners=24,
    references=200,
    characters=10_000,
    name=200,
    columns=100,
    annotations=1_000_000,
    files=30,
    entries=12_000,
    upload=200_000_000,
    unpacked=256_000_000,
    row=4_000_000,
    images=10_000,
    image=10_000_000,
    pixels=40_000_000,
    workspace=20_000_000,
    manifest=8_000_000,
    candidates=1_000,
    memory=1_000_000_000,
)
NONE = Limits(*(_MANY for _ in fields(Limits)))


def megabytes(count: int) -> str:
    return f"{count / 1_000_000:,.0f} MB"
