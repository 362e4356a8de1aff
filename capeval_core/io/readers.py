"""Files -> a data set, for the app and the command line alike: JSONL, JSON, CSV, TSV, Parquet, COCO results with their
annotations, what `score` wrote; each also with .gz behind it, or in a .zip, images too.

Kinds are told apart by name. A .json file that begins with a brace is a COCO annotation file: it gives references to
the captions that come with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from capeval_core.errors import InvalidInput
from capeval_core.io import json_stream, rows, sources, tables
from capeval_core.io.columns import Value
from capeval_core.io.dataset import DataSet
from capeval_core.io.limits import NONE, Limits
from capeval_core.io.part import MORE, Part, Pool, Wanted
from capeval_core.io.sources import Meter, Source
from capeval_core.types import CaptionItem


def read_items(inputs: Sequence[str], references: Path | None = None) -> list[CaptionItem]:
    """Captions to score. One or more files, each "path" or "name=path" (then `name` is its captioner's)."""
    return list(read_inputs(inputs, references, extras=False).items)


def read_inputs(
    inputs: Sequence[str], references: Path | None = None, *, keys: Collection[str] = (), extras: bool = True
) -> DataSet:
    """As the command line names them; columns among `keys` are scores."""
    given = [sources.at(path, name) for name, path in split_names(inputs)]
    known = None if references is None else sources.at(references)
    return read_dataset(given, references=known, keys=keys, extras=extras)


def read_dataset(
    given: Sequence[Source],
    *,
    references: Source | None = None,
    keys: Collection[str] = (),
    limits: Limits = NONE,
    extras: bool = True,
    named: bool = False,
) -> DataSet:
    """`references` go before the rows' own, an annotation file among the others does not. `named`: a caption that
    names no captioner gets its file's name (COCO results do so whenever there are several)."""
    meter = Meter(limits)
    with sources.unzipped(given, meter) as (files, pictures):
        described = [source for source in files if source.kind == ".json" and json_stream.is_object(source)]
        captions = [source for source in files if source not in described]
        _check_files(captions, [*([references] if references else []), *described], pictures)
        known = captions_by_image(references or described[0], meter) if references or described else None
        wanted = Wanted(frozenset(keys), extras, known, replace=references is not None)
        found = _joined(_parts(captions, wanted, meter, named), keys)
        if len(found.systems) > limits.captioners:
            most = f"at most {limits.captioners}"
            raise InvalidInput("too many captioners", expected=most, found=f"{len(found.systems):,}", fix=MORE)
        return _with_images(found, pictures, meter) if pictures and extras else found


def read_annotations(path: Path) -> dict[str, tuple[str, ...]]:
    """A COCO annotation file: image id -> its captions in file order."""
    return captions_by_image(sources.at(path), Meter())


def split_names(inputs: Sequence[str]) -> list[tuple[str | None, Path]]:
    """Each input is a path or name=path; a name stands once."""
    found: list[tuple[str | None, Path]] = []
    for given in inputs:
        name, equals, path = given.partition("=")
        found.append((name, Path(path)) if equals and not Path(given).exists() else (None, Path(given)))
    names = [one for one, _ in found if one is not None]
    for one in set(names):
        if names.count(one) > 1:
            raise InvalidInput(f"two inputs are named {one!r}", fix="give each results file a name of its own")
    return found


def read_rows(source: Source, meter: Meter) -> Iterator[tuple[str, Any]]:
    """The file's rows as they stand, each with its "file: line 7"."""
    if source.kind == ".jsonl":
        numbered = ((f"{source.name}: line {number}", line) for number, line in sources.lines(source, meter))
        return ((where, rows.parse_json(line, where)) for where, line in numbered if line.strip())
    if source.kind == ".json":
        found = json_stream.entries(source, meter)
        return ((f"{source.name}: entry [{place}]", row) for place, row in enumerate(found))
    return tables.parquet(source, meter) if source.kind == ".parquet" else tables.delimited(source, meter)


def _check_files(captions: Sequence[Source], annotations: Sequence[Source], pictures: Collection[str]) -> None:
    if len(annotations) > 1:
        raise InvalidInput(f"{annotations[1].name}: a second annotation file", expected="one")
    if not captions and annotations:
        fix = "give it together with the captions it belongs to (on the command line: with --references)"
        raise InvalidInput(f"{annotations[0].name}: references only, no captions", fix=fix)
    if not captions:
        found = "images only" if pictures else "none"
        raise InvalidInput("no file of captions", expected=f"one of {', '.join(sources.KINDS)}", found=found)


def captions_by_image(source: Source, meter: Meter) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for place, row in enumerate(json_stream.annotation_entries(source, meter)):
        where = f"{source.name}: annotations[{place}]"
        if not isinstance(row, dict):
            raise InvalidInput(where, expected="an object with image_id and caption", found=rows.kind(row))
        if place >= meter.limits.annotations:
            raise _too_much(source.name, f"at most {meter.limits.annotations:,} annotations")
        image = rows.identifier(row, where)
        if "caption" not in row:
            raise InvalidInput(f"{where}: field caption is missing")
        found.setdefault(image, []).append(rows.text(row["caption"], f"{where}: field caption"))
    return {image: tuple(captions) for image, captions in found.items()}


def _parts(captions: Sequence[Source], wanted: Wanted, meter: Meter, named: bool) -> list[Part]:
    parts: list[Part] = []
    room, pool = meter.limits.captions, Pool()
    stems = Counter(source.path.stem for source in captions)
    for source in captions:
        stem = source.path.stem
        by_file = named or (wanted.known is not None and source.kind == ".json" and len(captions) > 1)
        # Two files of one name in two folders are two captioners.
        name = stem if stems[stem] == 1 else str(source.path.with_suffix(""))
        part = Part(source, wanted, meter.limits, pool, name[-80:] if by_file else "")
        for where, row in read_rows(source, meter):
            part.add(row, where)
            if len(part.items) > room:
                raise _too_much(source.name, f"at most {meter.limits.captions:,} captions")
        part.finish()
        room -= len(part.items)
        parts.append(part)
    return parts


def _joined(parts: Sequence[Part], keys: Collection[str]) -> DataSet:
    """Half a column of scores would compare captioners with nothing: it is left out, and a note says so."""
    shared = [key for key in keys if all(key in part.scores for part in parts)]
    half = [key for key in keys if key not in shared and any(key in part.scores for part in parts)]
    names = dict.fromkeys(name for part in parts for name in part.columns)
    rated = any(part.rated for part in parts)
    return DataSet(
        title=_title([part.source.origin for part in parts]),
        items=tuple(item for part in parts for item in part.items),
        scores={key: np.concatenate([np.array(part.scores[key]) for part in parts]) for key in shared},
        ratings=tuple(rating for part in parts for rating in part.ratings) if rated else None,
        columns={name: tuple(value for part in parts for value in _column(part, name)) for name in names},
        notes=(f"Not every file has scores of {', '.join(half)}: they are left out.",) if half else (),
    )


def _column(part: Part, name: str) -> Sequence[Value]:
    return part.columns.get(name) or [None] * len(part.items)


def _with_images(data: DataSet, files: Mapping[str, Source], meter: Meter) -> DataSet:
    """The images that captions are about, checked and put aside; the others are not even unpacked."""
    from capeval_core.io import images

    found: dict[Source, list[str]] = {}
    for identifier, source in images.match(data.images_rows, files).items():
        found.setdefault(source, []).append(identifier)
    if len(found) > meter.limits.images:
        raise InvalidInput("too many images", expected=f"at most {meter.limits.images:,}", found=f"{len(found):,}")
    pictures = images.Pictures()
    for source, identifiers in found.items():
        with sources.opened(source) as file:
            content = file.read(meter.limits.image + 1)
        meter.take(len(content), source.name)
        try:
            images.check_image(content)
        except InvalidInput as error:
            raise InvalidInput(f"{source.name}: {error.message}", expected=error.expected, found=error.found) from error
        pictures.add(identifiers, content)
    left = len(files) - len(found)
    note = f"{left:,} of {len(files):,} images have no caption: no image_id is like the file's name."
    return replace(data, images=pictures, notes=(*data.notes, note) if left else data.notes)


def _title(origins: Sequence[str]) -> str:
    first, *others = dict.fromkeys(origins)
    return f"{first} and {len(others)} more" if others else first


def _too_much(name: str, expected: str) -> InvalidInput:
    return InvalidInput(f"{name}: too much to load here", expected=expected, fix=MORE)
