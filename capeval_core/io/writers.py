"""Scores out: rows as JSONL, CSV or Parquet, the corpus scores with their signatures as JSON.

A file appears whole or not at all: it is written beside its place and moved there at the end.
"""

from __future__ import annotations

import csv
import json
import math
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from capeval_core.errors import InvalidInput
from capeval_core.types import Evaluation
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
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path that becomes `path` when the block ends well, and vanishes when it does not."""
    try:
        handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=f".{path.name}.")
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
                writer.writerows(_rows(evaluation))
        else:
            with temporary.open("w", encoding="utf-8") as file:
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in _rows(evaluation))


def _rows(evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    columns = {key: values.tolist() for key, values in evaluation.scores.items()}
    for place, item in enumerate(evaluation.items):
        row: dict[str, Any] = {"image_id": item.image_id, "system": item.system, "candidate": item.candidate}
        yield row | {key: _plain(values[place]) for key, values in columns.items()}


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value


def summary(evaluation: Evaluation) -> dict[str, Any]:
    """Per captioner the corpus scores and, apart from them, the means of the segment scores."""
    systems = {}
    for system, rows in evaluation.systems().items():
        segments = {key: values[rows] for key, values in evaluation.scores.items()}
        defined = {key: values[~np.isnan(values)] for key, values in segments.items()}
        systems[system] = {
            "items": len(rows),
            "undefined": {key: len(rows) - len(values) for key, values in defined.items() if len(values) < len(rows)},
            "corpus": {key: _plain(value) for key, value in evaluation.corpus_of(rows).items()},
            "mean_of_segments": {key: float(values.mean()) if len(values) else None for key, values in defined.items()},
        }
    return {
        "capeval": VERSION,
        "systems": systems,
        "signatures": evaluation.signatures,
        "skipped": {key: str(error) for key, error in evaluation.skipped.items()},
    }


def write_summary(evaluation: Evaluation, path: Path) -> None:
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(summary(evaluation), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
