"""systems: captioners as clouds of captions, compared with one of them."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from capeval_core import registry
from capeval_core.cli import scaling, settings
from capeval_core.errors import InvalidInput

if TYPE_CHECKING:
    from capeval_core.analysis.systems import Analysis
    from capeval_core.io.dataset import DataSet

AXES = "sparcs,spurts"
GRAMMAR = "mima"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="what score wrote, or captions to score; name=path")
    parser.add_argument("--reference", default="human", metavar="NAME", help="the captioner to compare with (human)")
    parser.add_argument("--axes", metavar="A,B", help=f"two metrics ({AXES})")
    parser.add_argument("--size", type=float, default=1.15, help="of the ellipse, in standard deviations (1.15)")
    parser.add_argument(
        "--scale",
        default="reference",
        choices=("reference", "paper"),
        help="standardise by the reference captioner, or by the SMURF paper's constants",
    )
    parser.add_argument("--samples", type=int, default=1_000, metavar="N", help="bootstrap samples (1000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, metavar="FILE", help="the table, as .json (with ellipses) or .csv")
    settings.add(parser)
    scaling.add(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    from capeval_core.analysis import systems
    from capeval_core.io import writers

    if given.out:
        writers.check_target(given.out, (".json", ".csv"))
        settings.check_apart(given.out, given.inputs)
    if given.samples < 1:
        raise InvalidInput("--samples", expected="1 or more", found=str(given.samples))
    if given.seed < 0:
        raise InvalidInput("--seed", expected="0 or more", found=str(given.seed))
    scaling.check(given)
    axes = _axes(given.axes)
    data, skipped = _scores(given, axes)
    missing = [key for key in (*axes, GRAMMAR) if key not in data.scores]
    absent = [key for key in axes if key in missing]
    if absent and given.axes and not skipped:
        raise InvalidInput(f"--axes: no scores of {absent[0]!r}", expected=f"one of {', '.join(data.scores)}")
    found = systems.analyse(
        data.items,
        data.scores,
        given.reference,
        axes=None if absent else axes,
        scales=systems.PUBLISHED if given.scale == "paper" else None,
        size=given.size,
        samples=given.samples,
        seed=given.seed,
    )
    rows = _report(found, data, given)
    if given.out:
        _write(rows, found, given.out)
    _print(rows, found)
    for key in missing:
        lost = "ellipses and overlaps" if key in axes else "grammar penalty"
        print(f"capeval: no scores of {key}, so no {lost}. {skipped.get(key, '')}".rstrip(), file=sys.stderr)
    return 3 if skipped else 0


def _axes(given: str | None) -> tuple[str, str]:
    names = [name.strip() for name in (AXES if given is None else given).split(",")]
    if len(set(names)) != 2 or len(names) != 2 or not all(names):
        raise InvalidInput("--axes", expected="two different metrics, as in sparcs,spurts", found=repr(given))
    return names[0], names[1]


def _scores(given: argparse.Namespace, axes: tuple[str, str]) -> tuple[DataSet, dict[str, Any]]:
    """The scores of the input, or of its captions where it has none; and the metrics that could not score."""
    from capeval_core.io import readers

    keys = dict.fromkeys((*registry.keys(), *axes))
    data = readers.read_inputs(given.inputs, given.references, keys=keys, extras=False)
    if data.scores:
        return data, {}
    wanted = [spec.key for spec in registry.select((*axes, GRAMMAR))]
    settings.options(given)
    if given.reference not in data.systems:  # said before scoring, not after it
        names = ", ".join(map(repr, data.systems))
        raise InvalidInput(f"no captioner {given.reference!r} to compare with", expected=f"one of {names}")
    bar = settings.Bar()
    evaluation = scaling.evaluate(given, data.items, wanted, bar)
    bar.close()
    return replace(data, scores=evaluation.scores), dict(evaluation.skipped)


def _report(found: Analysis, data: DataSet, given: argparse.Namespace) -> list[dict[str, Any]]:
    """One flat row per captioner; null where a value is undefined."""
    from capeval_core.analysis import bootstrap
    from capeval_core.analysis.rows import system_rows
    from capeval_core.io.writers import plain

    images = {name: {data.items[row].image_id for row in rows} for name, rows in data.systems.items()}
    p_values: dict[str, dict[str, float]] = {}
    for name in data.systems:
        if name != found.reference and images[name] & images[found.reference]:  # else there is nothing to pair
            tests = bootstrap.compare_means(
                data.items, data.scores, name, found.reference, samples=given.samples, seed=given.seed
            )
            p_values[name] = {key: test.p_value for key, test in tests.items()}
    means = {one.system: one.means for one in found.systems}
    rows: list[dict[str, Any]] = plain(system_rows(data.items, means, p_values, found))
    return rows


def _write(rows: list[dict[str, Any]], found: Analysis, path: Path) -> None:
    from capeval_core.analysis.rows import ellipse_fields
    from capeval_core.io import writers

    with writers.replacing(path) as temporary:
        if path.suffix == ".csv":
            with temporary.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, list(rows[0]))
                writer.writeheader()
                writer.writerows(rows)
            return
        content = {
            "reference": found.reference,
            "axes": found.axes,
            "size": found.size,
            "scales": {key: {"mean": one.mean, "deviation": one.deviation} for key, one in found.scales.items()},
            "systems": [row | {"ellipse": ellipse_fields(one)} for row, one in zip(rows, found.systems, strict=True)],
        }
        temporary.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _print(rows: list[dict[str, Any]], found: Analysis) -> None:
    keys = list(found.systems[0].means)
    width = max([9, *(len(row["system"]) for row in rows)])
    head = [f"{'captioner':<{width}}", f"{'n':>6}", *(f"{key:>9}" for key in keys)]
    head += [f"{'overlap':>22}"] if found.axes else []
    head += [f"{'grammar':>9}"] if GRAMMAR in found.scales else []
    print("  ".join([*head, "centroid caption"] if found.axes else head))
    for row in rows:
        cells = [f"{row['system'] or '-':<{width}}", f"{row['captions']:>6}"]
        cells += [_number(row[key], 8, 4) + ("*" if (row[f"p_{key}"] or 1) < 0.05 else " ") for key in keys]
        if found.axes:
            low, high = _number(row["overlap_low"], 0, 3), _number(row["overlap_high"], 0, 3)
            cells.append(f"{_number(row['overlap'], 0, 3)} ({low} to {high})".rjust(22))
        cells += [_number(row["grammar_penalty"], 9, 2)] if GRAMMAR in found.scales else []
        cells += [" ".join((row["centroid"] or "-").split())] if found.axes else []
        print("  ".join(cells))
    print(f"* differs from {found.reference or '-'} (paired bootstrap over images, p < 0.05)")
    for row in rows:
        if row.get("note"):
            print(f"capeval: {row['system'] or '-'}: no overlap: {row['note']}", file=sys.stderr)


def _number(value: float | None, width: int, digits: int) -> str:
    return f"{'-' if value is None else format(value, f'.{digits}f'):>{width}}"
