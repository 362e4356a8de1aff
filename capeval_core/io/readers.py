"""Which file is which: reads JSONL, JSON, CSV, TSV and COCO results into caption items.

Kinds are told apart by name: .jsonl (one object a line), .json (COCO results when a references file is given, else a
list of the same objects as in JSONL), .csv, .tsv; each also with .gz behind it.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from capeval_core.errors import InvalidInput
from capeval_core.io import rows
from capeval_core.io.rows import References
from capeval_core.types import CaptionItem

KINDS = (".jsonl", ".json", ".csv", ".tsv")


def read_items(inputs: Sequence[str], references: Path | None = None) -> list[CaptionItem]:
    """Reads one or more files, each "path" or "name=path" (then `name` is its captioner's)."""
    known = None if references is None else read_annotations(references)
    items: list[CaptionItem] = []
    for given, path in split_names(inputs):
        system = given
        # Unnamed COCO results have no captioner inside: where several files come together, the file's name tells.
        if given is None and known is not None and _kind(path) == ".json" and len(inputs) > 1:
            system = path.name.removesuffix(".gz").removesuffix(".json")
        found = list(_read(path, system, known))
        if not found:
            raise InvalidInput(f"{path}: line 1: the file has no rows", expected="at least one caption", found="none")
        items += found
    return items


def read_annotations(path: Path) -> dict[str, tuple[str, ...]]:
    """A COCO annotation file: image id -> its captions in file order."""
    data = rows.parse_json(_whole(path), str(path))
    annotations = data.get("annotations") if isinstance(data, dict) else None
    if not isinstance(annotations, list):
        raise InvalidInput(f"{path}: line 1: field annotations", expected="a list", found=rows.kind(annotations))
    found: dict[str, list[str]] = {}
    for place, row in enumerate(annotations):
        where = f"{path}: annotations[{place}]"
        if not isinstance(row, dict):
            raise InvalidInput(where, expected="an object with image_id and caption", found=rows.kind(row))
        image = rows.identifier(row, where)
        if "caption" not in row:
            raise InvalidInput(f"{where}: field caption is missing")
        found.setdefault(image, []).append(rows.text(row["caption"], f"{where}: field caption"))
    return {image: tuple(captions) for image, captions in found.items()}


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


def _kind(path: Path) -> str:
    kind = Path(path.name.removesuffix(".gz")).suffix.lower()
    if kind not in KINDS:
        raise InvalidInput(
            f"{path}: unknown kind of file", expected=f"{', '.join(KINDS)} (also with .gz)", found=path.name
        )
    return kind


def _read(path: Path, system: str | None, references: References | None) -> Iterator[CaptionItem]:
    for where, row in read_rows(path, references):
        yield rows.item(row, where, system, references)


def read_rows(path: Path, references: References | None) -> Iterator[tuple[str, Any]]:
    """The file's rows as they stand, each with its "file: line 7"; a table without references needs `references`."""
    kind = _kind(path)
    if kind == ".jsonl":
        numbered = ((f"{path}: line {number}", line) for number, line in rows.lines(path) if line.strip())
        return ((where, rows.parse_json(line, where)) for where, line in numbered)
    return _json_list(path) if kind == ".json" else _delimited(path, "\t" if kind == ".tsv" else ",", references)


def _json_list(path: Path) -> Iterator[tuple[str, Any]]:
    data = rows.parse_json(_whole(path), str(path))
    if not isinstance(data, list):
        fix = "this looks like an annotation file: pass it with --references" if isinstance(data, dict) else ""
        raise InvalidInput(f"{path}: line 1", expected="a list of captions", found=rows.kind(data), fix=fix)
    for place, row in enumerate(data):
        yield f"{path}: entry [{place}]", row


def _whole(path: Path) -> str:
    text = "".join(line for _, line in rows.lines(path))
    if not text.strip():
        raise InvalidInput(f"{path}: line 1: the file is empty", expected="JSON")
    return text


def _delimited(path: Path, delimiter: str, references: References | None) -> Iterator[tuple[str, Any]]:
    """References come as one column with a JSON list, or as reference_1, reference_2, ... (empty cells are skipped)."""
    csv.field_size_limit(sys.maxsize)
    reader = csv.DictReader((line for _, line in rows.lines(path)), delimiter=delimiter, strict=True)
    try:
        columns = list(reader.fieldnames or ())
        numbers = {name: name.removeprefix("reference_") for name in columns}
        numbered = sorted((int(rest), name) for name, rest in numbers.items() if rest != name and rest.isdecimal())
        if columns and references is None and "references" not in columns and not numbered:
            raise InvalidInput(
                f"{path}: line 1: field references is missing",
                expected="a column references, or reference_1, reference_2, ...",
                found=", ".join(columns),
            )
        for cells in reader:
            where = f"{path}: line {reader.line_num}"
            if None in cells:
                raise InvalidInput(where, expected=f"{len(columns)} cells", found="more", fix="quote cells with commas")
            yield where, _cells(cells, where, [name for _, name in numbered], references)
    except csv.Error as error:
        raise InvalidInput(f"{path}: line {reader.reader.line_num}: broken table", found=str(error)) from error


def _cells(cells: dict[str, Any], where: str, numbered: Sequence[str], references: References | None) -> dict[str, Any]:
    if references is not None:
        return cells
    if "references" in cells:
        listed = rows.parse_json(cells["references"] or "null", f"{where}: field references")
        return cells | {"references": listed}
    return cells | {"references": [cells[name] for name in numbered if cells[name] and cells[name].strip()]}
