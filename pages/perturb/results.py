"""A finished study as sentences, tables in the papers' shapes, and files to take away."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from capeval_core import registry
from capeval_core.figures.numbers import relative_change, score
from capeval_core.figures.palette import Palette
from capeval_core.figures.perturb import Move
from capeval_core.figures.tables import Cell, Column, Grid, Row, render
from capeval_core.io.writers import csv_text, plain
from capeval_core.perturb import KINDS
from capeval_core.perturb import study as studies
from capeval_core.perturb.study import Study
from capeval_core.version import VERSION
from pages.widgets import stand_ins

# Kilickaya et al. 2017, Table 5, in its order of rows; Sharif et al. 2018, Table 3, has all six, in the order of KINDS.
TABLE_5 = ("replace_scene", "replace_person", "share_scene", "share_person")
FIELDS = ("pairs", "candidate", "variant", "change", "low", "high", "accuracy", "ties")


def moves(study: Study) -> list[Move]:
    """Everything but the distractors: these are right or wrong, not more or less."""
    found = [cell for cell in study.cells if KINDS[cell.kind].family != "distractors" and cell.pairs]
    return [
        Move(
            KINDS[cell.kind].label,
            cell.metric,
            cell.change,
            cell.low,
            cell.high,
            f"mean {score(cell.candidate)} to {score(cell.variant)}, {cell.pairs:,} captions"
            + ("; an estimate not fit for this change" if _unfit(study, cell) else ""),
        )
        for cell in found
    ]


def sentence(study: Study) -> str:
    """The kind that lowers the scores most on average, who loses most by it and who least: of numbers fit for it."""
    cells = [c for c in study.cells if KINDS[c.kind].family != "distractors" and not math.isnan(c.change)]
    cells = [cell for cell in cells if not _unfit(study, cell)]
    kinds = dict.fromkeys(cell.kind for cell in cells)
    if not cells:
        return ""
    mean = {kind: _mean([cell.change for cell in cells if cell.kind == kind]) for kind in kinds}
    hardest = min(mean, key=lambda kind: mean[kind])
    if relative_change(mean[hardest]) == "0%" or mean[hardest] > 0:
        return "No kind lowers the scores on average."
    ordered = sorted((cell for cell in cells if cell.kind == hardest), key=lambda cell: cell.change)
    first, last = ordered[0], ordered[-1]
    return (
        f"{KINDS[hardest].label} lowers the scores most: {registry.get(first.metric).label} goes "
        f"{relative_change(first.change)}, {registry.get(last.metric).label} {relative_change(last.change)}."
    )


def _unfit(study: Study, cell: studies.Cell) -> bool:
    return stand_ins.unfit(study.stand_ins.get(cell.metric), cell.kind)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def tasks(study: Study) -> list[str]:
    made = {cell.kind for cell in study.cells if cell.pairs}
    return [kind for kind in KINDS if kind in made and KINDS[kind].family == "distractors"]


def table_3(study: Study, palette: Palette) -> str:
    """One row per metric, one column per task, then the mean and the worst; per cent, best of a column in bold."""
    chosen, found = tasks(study), _by_place(study)
    keys = [key for key in study.scores if all((task, key) in found for task in chosen)]
    values = [[100 * found[task, key].accuracy for task in chosen] for key in keys]
    texts = [[f"{one:.1f}" for one in (*row, _mean(row), min(row))] for row in values]
    best = [_best(column) for column in zip(*texts, strict=True)]
    rows = [_row(registry.get(key).label, row, best) for key, row in zip(keys, texts, strict=True)]
    counts = [max(found[task, key].pairs for key in keys) for task in chosen] if keys else []
    foot = tuple(Cell(text, faint=True) for text in ("instances", *(f"{n:,}" for n in counts), "", ""))
    heads = [*(KINDS[task].label for task in chosen), "average", "worst"]
    return render(_grid("Metric", heads, [*rows, Row(foot)] if keys else []), palette)


def table_5(study: Study, palette: Palette) -> str:
    """One row per task with its instances, one column per metric, shares; overall: all pairs together."""
    found, made = _by_place(study), tasks(study)
    chosen = list(dict.fromkeys(task for task in (*TABLE_5, *made) if task in made))
    keys = [key for key in study.scores if all((task, key) in found for task in chosen)]
    rows = []
    for name, group in [*((KINDS[task].label, [task]) for task in chosen), ("Overall", chosen)]:
        count = sum(max((found[task, key].pairs for key in keys), default=0) for task in group)
        texts = [f"{_accuracy([found[task, key] for task in group]):.2f}" for key in keys]
        rows.append(_row(f"{name} ({count:,})", texts, [_best(texts)] * len(texts)))
    return render(_grid("Case (instances)", [registry.get(key).label for key in keys], rows), palette)


def _accuracy(cells: Sequence[studies.Cell]) -> float:
    return sum(cell.accuracy * cell.pairs for cell in cells) / max(sum(cell.pairs for cell in cells), 1)


def _by_place(study: Study) -> dict[tuple[str, str], studies.Cell]:
    return {(cell.kind, cell.metric): cell for cell in study.cells if cell.pairs}


def _best(texts: Sequence[str]) -> str:
    """Nothing where all are the same: that is nobody's win."""
    return max(texts, key=float) if len(set(texts)) > 1 else ""


def _row(name: str, texts: Sequence[str], best: Sequence[str]) -> Row:
    return Row((Cell(name), *(Cell(text, bold=text == top) for text, top in zip(texts, best, strict=True))))


def _grid(corner: str, heads: Sequence[str], rows: Sequence[Row]) -> Grid:
    return Grid((Column(Cell(corner), "left", names=True), *(Column(Cell(head)) for head in heads)), tuple(rows))


def to_csv(study: Study) -> str:
    """One row per kind and metric, with the metric's signature."""
    rows = [_fields(cell) | {"signature": study.signatures.get(cell.metric, "")} for cell in study.cells]
    return csv_text(["kind", "metric", *FIELDS, "signature"], rows)


def captions_csv(study: Study) -> str:
    """One row per changed caption: what was changed, each score and how far it moved."""
    rows = []
    for number, one in enumerate(study.variants):
        item = study.items[one.item]
        row: dict[str, Any] = {"image_id": item.image_id, "system": item.system, "kind": one.kind}
        row |= {"candidate": item.candidate, "variant": one.text, "change": one.change}
        for key, values in study.scores.items():
            row |= {key: float(values[len(study.items) + number]), f"{key} change": study.change(key, number)}
        rows.append(row)
    names = [name for key in study.scores for name in (key, f"{key} change")]
    return csv_text(["image_id", "system", "kind", "candidate", "variant", "change", *names], rows)


def to_json(study: Study, settings: dict[str, Any]) -> str:
    variants = [
        {
            "image_id": study.items[one.item].image_id,
            "system": study.items[one.item].system,
            "candidate": study.items[one.item].candidate,
            "kind": one.kind,
            "variant": one.text,
            "change": one.change,
            "scores": {key: float(values[len(study.items) + number]) for key, values in study.scores.items()},
        }
        for number, one in enumerate(study.variants)
    ]
    content = {
        "capeval": VERSION,
        **settings,
        "captions": len(study.items),
        "made": study.rates,
        "cells": [_fields(cell) for cell in study.cells],
        "signatures": study.signatures,
        "skipped": {key: str(error) for key, error in study.skipped.items()},
        "variants": variants,
    }
    return json.dumps(plain(content), ensure_ascii=False, indent=1)


def _fields(cell: studies.Cell) -> dict[str, Any]:
    return {"kind": cell.kind, "metric": cell.metric} | {name: getattr(cell, name) for name in FIELDS}
