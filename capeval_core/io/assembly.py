"""The rows of a run's parts, which are lines of JSON, as one file or a folder of files, of any kind we write."""

from __future__ import annotations

import csv
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

FIELDS = ("image_id", "system", "candidate")
ROWS_AT_ONCE = 50_000  # of a Parquet file


def join(parts: Sequence[Path], target: Path, kind: str, keys: Sequence[str], *, every: bool) -> None:
    """One file of all parts. `every`: the parts have these keys and no others, so lines are copied as they are."""
    if kind == ".jsonl" and every:
        with target.open("wb") as file:
            for part in parts:
                with part.open("rb") as lines:
                    shutil.copyfileobj(lines, file, 1 << 20)
            _settle(file.fileno(), file)
        return
    rows = chain.from_iterable(_rows(part, keys) for part in parts)
    if kind == ".parquet":
        _write_parquet(rows, target, keys)
        return
    with target.open("w", encoding="utf-8", newline="") as text:
        if kind == ".csv":
            writer = csv.DictWriter(text, [*FIELDS, *keys])
            writer.writeheader()
            writer.writerows(rows)
        else:
            text.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        _settle(text.fileno(), text)


def _settle(number: int, file: Any) -> None:
    file.flush()
    os.fsync(number)


def _rows(part: Path, keys: Sequence[str]) -> Iterator[dict[str, Any]]:
    with part.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield {name: row[name] for name in (*FIELDS, *keys)}


def _write_parquet(rows: Iterator[dict[str, Any]], target: Path, keys: Sequence[str]) -> None:
    import pyarrow  # type: ignore[import-untyped]
    import pyarrow.parquet  # type: ignore[import-untyped]

    texts = [(name, pyarrow.large_string()) for name in FIELDS]
    schema = pyarrow.schema([*texts, *((key, pyarrow.float64()) for key in keys)])
    with pyarrow.parquet.ParquetWriter(target, schema) as writer:
        while batch := list(islice(rows, ROWS_AT_ONCE)):
            writer.write_table(pyarrow.Table.from_pylist(batch, schema=schema))
