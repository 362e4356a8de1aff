"""perturb: changed captions with their scores to a file, the sensitivity of every metric to the screen."""

from __future__ import annotations

import argparse
import csv
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from capeval_core import registry
from capeval_core.cli import scaling, settings
from capeval_core.errors import InvalidInput
from capeval_core.perturb.kinds import FAMILIES, KINDS, select

if TYPE_CHECKING:
    from capeval_core.perturb.study import Study

OUTPUTS = (".jsonl", ".csv")


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="files as for score; name=path")
    parser.add_argument(
        "--kinds", default=",".join(FAMILIES), metavar="a,b", help=f"{', '.join(FAMILIES)}, or: {', '.join(KINDS)}"
    )
    parser.add_argument("--metrics", default="all", metavar="all|a,b", help=", ".join(registry.keys()))
    parser.add_argument("--strength", type=int, default=2, choices=(1, 2, 3), help="how much is changed")
    parser.add_argument("--variants", type=int, default=1, metavar="N", help="of each caption and kind, up to 100")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same variants")
    parser.add_argument("--limit", type=int, default=0, metavar="N", help="only the first N captions are changed")
    parser.add_argument("--samples", type=int, default=1_000, metavar="N", help="bootstrap samples of the intervals")
    parser.add_argument("--out", type=Path, metavar="FILE", help="variants with scores and changes: .jsonl or .csv")
    settings.add(parser)
    scaling.add(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    from capeval_core.io import readers, writers
    from capeval_core.perturb.study import study

    keys = [spec.key for spec in registry.select(None if given.metrics == "all" else _names(given.metrics))]
    kinds = [kind.key for kind in select(_names(given.kinds))]
    settings.options(given)
    scaling.check(given)
    if given.samples < 1 or given.limit < 0:
        raise InvalidInput("--samples and --limit", expected="a positive number", found="less")
    if given.out:
        writers.check_target(given.out, OUTPUTS)
        settings.check_apart(given.out, given.inputs)
    items = readers.read_items(given.inputs, given.references)
    bar = settings.Bar()
    found = study(
        items[: given.limit] if given.limit else items,
        kinds,
        keys,
        strength=given.strength,
        seed=given.seed,
        variants=given.variants,
        corpus=items,
        samples=given.samples,
        scorer=lambda grid, chosen: scaling.evaluate(given, grid, chosen, bar),
        device=settings.device(given),
        on_progress=bar,
    )
    bar.close()
    if given.out:
        _write(found, given.out)
    _print(found)
    return 3 if found.skipped else 0


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _rows(found: Study) -> Iterator[dict[str, Any]]:
    """One row per variant: what was changed, the scores, and each score minus the candidate's."""
    from capeval_core.io.writers import plain

    for number, variant in enumerate(found.variants):
        item = found.items[variant.item]
        row: dict[str, Any] = {
            "image_id": item.image_id,
            "system": item.system,
            "candidate": item.candidate,
            "kind": variant.kind,
            "number": variant.number,
            "strength": variant.strength,
            "seed": variant.seed,
            "variant": variant.text,
            "change": variant.change,
        }
        for key, values in found.scores.items():
            row[key] = plain(float(values[len(found.items) + number]))
            row[f"{key}_change"] = plain(found.change(key, number))
        yield row


def _write(found: Study, path: Path) -> None:
    from capeval_core.io import writers

    with writers.replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        if path.suffix == ".csv":
            names = ["image_id", "system", "candidate", "kind", "number", "strength", "seed", "variant", "change"]
            writer = csv.DictWriter(file, [*names, *(name for key in found.scores for name in (key, f"{key}_change"))])
            writer.writeheader()
            writer.writerows(_rows(found))
        else:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in _rows(found))


def _print(found: Study) -> None:
    """Relative change in per cent with its interval's half width; then the papers' table of distractor accuracy."""
    keys = list(found.scores)
    cells = {(cell.kind, cell.metric): cell for cell in found.cells}
    counts: dict[str, int] = {}
    for variant in found.variants:
        counts[variant.kind] = counts.get(variant.kind, 0) + 1
    sensitive = [kind for kind in counts if KINDS[kind].family != "distractors"]
    tasks = [kind for kind in KINDS if kind in counts and KINDS[kind].family == "distractors"]
    if sensitive:
        print("Change of the mean score, per cent of it, with half its 95 % interval")
        print("  ".join([f"{'kind':<16}", f"{'n':>6}", *(f"{key:>13}" for key in keys)]))
        for kind in [kind for kind in KINDS if kind in sensitive]:
            values = [_change(cells[kind, key].change, cells[kind, key].low, cells[kind, key].high) for key in keys]
            print("  ".join([f"{kind:<16}", f"{counts[kind]:>6}", *values]))
    if tasks:
        print("Accuracy on distractors, per cent: the true caption scores higher, ties count half (ties in brackets)")
        print("  ".join([f"{'metric':<10}", *(f"{task:>15}" for task in (*tasks, "average", "worst"))]))
        for key in keys:
            row = [cells[task, key] for task in tasks]
            shown = [f"{f'{100 * cell.accuracy:.1f} ({cell.ties})':>15}" for cell in row]
            shares = [100 * cell.accuracy for cell in row]
            summary = [f"{sum(shares) / len(shares):>15.1f}", f"{min(shares):>15.1f}"]
            print("  ".join([f"{key:<10}", *shown, *summary]))
        print("  ".join([f"{'instances':<10}", *(f"{counts[task]:>15}" for task in tasks)]))
    rates = ", ".join(f"{kind} {100 * rate:.0f} %" for kind, rate in found.rates.items())
    print(f"Could be made: {rates}")
    for signature in found.signatures.values():
        print(signature)
    for key, error in found.skipped.items():
        print(f"capeval: {key} skipped: {error}", file=sys.stderr)


def _change(change: float, low: float, high: float) -> str:
    if math.isnan(change):
        return f"{'-':>13}"
    half = "" if math.isnan(low) else f" ±{50 * (high - low):.1f}"
    return f"{f'{100 * change:+.1f}{half}':>13}"
