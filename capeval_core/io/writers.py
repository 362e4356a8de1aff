"""Scores and data sets out: rows as JSONL, CSV or Parquet, the corpus scores with their signatures as JSON.

A file appears whole or not at all: it is written beside its place and moved there at the end.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import math
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from capeval_core.errors import InvalidInput
from capeval_core.io import columns
from capeval_core.io.columns import Json
from capeval_core.io.dataset import DataSet
from capeval_core.types import Array, Evaluation
from capeval_core.version import VERSION

KINDS = (".jsonl", ".csv", ".parquet")


def check_target(path: Path, kinds: tuple[str, ...]) -> None:
    """Said before scoring, not after it."""
    if path.suffix not in kinds:
        raise InvalidInput(f"{path}: unknown kind of output", expected=" or ".join(kinds), found=path.suffix or "none")
    if not path.absolute().parent.is_dir():
        raise InvalidInput(f"{path}: cannot be written", found="no such folder", fix="make the folder first")
    if path.is_dir():
        raise InvalidInput(f"{path}: cannot be written", found="a folder of that name")


@contextmanager
def replacing(path: Path, work: Path | None = None) -> Iterator[Path]:
    """A temporary path (beside it, or in `work`) that becomes `path` when the block ends well, and vanishes when it
    does not."""
    try:
        handle, name = tempfile.mkstemp(dir=work or path.absolute().parent, prefix=f".{path.name}.")
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
            # mkstemp's files are private; a result is as readable as any file its user makes.
            mask = os.umask(0)
            os.umask(mask)
            temporary.chmod(0o666 & ~mask)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be written", found=error.strerror or str(error)) from error


def write_scores(evaluation: Evaluation, path: Path) -> None:
    with replacing(path) as temporary:
        if path.suffix == ".parquet":
            evaluation.table.to_parquet(temporary, index=False)
        elif path.suffix == ".csv":
            with temporary.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, ["image_id", "system", "candidate", *evaluation.scores])
                writer.writeheader()
                writer.writerows(rows_of(evaluation))
        else:
            with temporary.open("w", encoding="utf-8") as file:
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows_of(evaluation))


def rows_of(evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    columns = {key: values.tolist() for key, values in evaluation.scores.items()}
    for place, item in enumerate(evaluation.items):
        row: dict[str, Any] = {"image_id": item.image_id, "system": item.system, "candidate": item.candidate}
        yield row | {key: plain(values[place]) for key, values in columns.items()}


def plain(found: Any) -> Any:
    """JSON has neither NaN nor infinity: what is undefined or without limit is null, however deep it lies."""
    if isinstance(found, dict):
        return {name: plain(value) for name, value in found.items()}
    if isinstance(found, list | tuple):
        return [plain(value) for value in found]
    return None if isinstance(found, float) and not math.isfinite(found) else found


def csv_text(names: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """A table to take away and open in a spreadsheet: empty where undefined, and no cell that it would run."""
    target = io.StringIO()
    writer = csv.writer(target)
    writer.writerow(map(columns.guard, names))
    for row in rows:
        cells = [plain(row.get(name)) for name in names]
        writer.writerow([columns.guard(cell) if isinstance(cell, str) else cell for cell in cells])
    return target.getvalue()


def summary(evaluation: Evaluation) -> dict[str, Any]:
    """Per captioner the corpus scores and, apart from them, the means of the segment scores."""
    systems = {}
    for system, rows in evaluation.systems().items():
        segments = {key: values[rows] for key, values in evaluation.scores.items()}
        defined = {key: values[~np.isnan(values)] for key, values in segments.items()}
        systems[system] = {
            "items": len(rows),
            "undefined": {key: len(rows) - len(values) for key, values in defined.items() if len(values) < len(rows)},
            "corpus": {key: plain(value) for key, value in evaluation.corpus_of(rows).items()},
            "mean_of_segments": {key: float(values.mean()) if len(values) else None for key, values in defined.items()},
        }
    return {
        "capeval": VERSION,
        "systems": systems,
        "signatures": evaluation.signatures,
        "stand_ins": {key: dataclasses.asdict(found) for key, found in evaluation.stand_ins.items()},
        "remarks": evaluation.remarks,
        "skipped": {key: str(error) for key, error in evaluation.skipped.items()},
    }


def write_summary(evaluation: Evaluation, path: Path) -> None:
    write_json(summary(evaluation), path)


def write_json(content: Mapping[str, Any], path: Path, work: Path | None = None) -> None:
    """`work`: a folder for what is not yet whole, where the place itself should never have it."""
    near = work is not None and work.stat().st_dev == path.absolute().parent.stat().st_dev
    with replacing(path, work if near else None) as temporary:
        temporary.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def write_dataset(data: DataSet, target: Path | TextIO, scores: Mapping[str, Array], kind: str = "") -> None:
    """Everything but the images, as .jsonl or .csv (by the path's name, or `kind`). `scores` go before those that
    came along. Read again it is the same data set."""
    if isinstance(target, Path):
        check_target(target, KINDS[:2])
        with replacing(target) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
            write_dataset(data, file, scores, kind or target.suffix)
        return
    known = {key: values.tolist() for key, values in ({**data.scores, **scores}).items()}
    if kind == ".csv":
        _write_table(data, known, target)
        return
    for place, item in enumerate(data.items):
        row: dict[str, Any] = {"image_id": item.image_id, "system": item.system, "candidate": item.candidate}
        row["references"] = list(item.references)
        row |= {key: plain(values[place]) for key, values in known.items()}
        row |= {"ratings": plain(data.ratings[place])} if data.ratings is not None else {}
        for name, values in data.columns.items():
            value = values[place]
            row[name] = value.load() if isinstance(value, Json) else value
        target.write(json.dumps(row, ensure_ascii=False) + "\n")


def _write_table(data: DataSet, scores: Mapping[str, Sequence[float]], target: TextIO) -> None:
    table: dict[str, Sequence[Any]] = {
        "image_id": [columns.guard(item.image_id) for item in data.items],
        "system": [columns.guard(item.system) for item in data.items],
        "candidate": [columns.guard(item.candidate) for item in data.items],
        "references": [json.dumps(item.references, ensure_ascii=False) for item in data.items],
        **{key: plain(values) for key, values in scores.items()},
    }
    if data.ratings is not None:
        table["ratings"] = [json.dumps(plain(rating)) for rating in data.ratings]
    table |= {columns.guard(name): columns.encode(values) for name, values in data.columns.items()}
    writer = csv.writer(target)
    writer.writerow(table)
    writer.writerows(zip(*table.values(), strict=True))
