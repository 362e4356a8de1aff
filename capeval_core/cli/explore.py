"""explore: what captioners get wrong: errors and support of every caption, profiles, slices and wording."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from capeval_core import registry
from capeval_core.cli import scaling, settings
from capeval_core.errors import InvalidInput

if TYPE_CHECKING:
    from capeval_core.explore.compare import Comparison
    from capeval_core.explore.findings import CaptionFindings, Exploration
    from capeval_core.explore.profile import SystemProfile
    from capeval_core.explore.slices import Slice
    from capeval_core.explore.wording import Wording
    from capeval_core.io.dataset import DataSet


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="captions with references; name=path")
    parser.add_argument("--system", metavar="NAME", help="only this captioner")
    parser.add_argument("--against", metavar="NAME", help="compare --system with this captioner")
    parser.add_argument("--rows", type=Path, metavar="FILE.jsonl", help="support and errors of every caption")
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="profiles, slices and wording")
    parser.add_argument("--html", type=Path, metavar="FILE.html", help="a report that needs no server")
    parser.add_argument("--references", type=Path, metavar="FILE", help="COCO annotation file (for COCO results)")
    parser.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda", "mps"))
    scaling.add(parser)
    parser.set_defaults(run=run)


@dataclass(frozen=True, slots=True)
class _Found:
    """Everything that is written or shown, by captioner where there may be several."""

    data: DataSet
    findings: tuple[CaptionFindings, ...]
    profiles: list[SystemProfile]
    people: SystemProfile | None
    comparison: Comparison | None
    slices: dict[str, list[Slice]]
    wordings: list[Wording]


def run(given: argparse.Namespace) -> int:
    from capeval_core.explore.analyse import explore
    from capeval_core.io import readers

    _check_targets(given)
    scaling.check(given)
    device = settings.device(given)
    data = readers.read_inputs(given.inputs, given.references, keys=registry.keys())
    data = _chosen(data, given.system, given.against)
    bar = settings.Bar()
    judge = None if scaling.is_direct(given, len(data.items)) else lambda items: scaling.judge_words(given, items, bar)
    explored = explore(data.items, spurts=data.scores.get("spurts"), device=device, on_progress=bar, judge=judge)
    found = _summary(data, explored, given)
    bar.close()
    if given.rows:
        _write_rows(found.findings, given.rows)
    if given.out:
        _write_json(found, given.out)
    if given.html:
        _write_html(found, given.html)
    _print(found)
    return 0


def _check_targets(given: argparse.Namespace) -> None:
    """Said before the work, not after it."""
    from capeval_core.io import writers

    targets = [(given.rows, ".jsonl"), (given.out, ".json"), (given.html, ".html")]
    for path, kind in targets:
        if path:
            writers.check_target(path, (kind,))
            settings.check_apart(path, given.inputs)
    if given.against is not None and given.system is None:
        raise InvalidInput("--against needs --system", fix="name the captioner to compare with --system NAME")
    if given.against is not None and given.against == given.system:
        raise InvalidInput("--against", expected="another captioner than --system", found=repr(given.against))


def _chosen(data: DataSet, system: str | None, against: str | None) -> DataSet:
    """The captions of the captioners that were asked for."""
    from capeval_core.io.dataset import DataSet

    wanted = [name for name in (system, against) if name is not None]
    for name in wanted:
        if name not in data.systems:
            raise InvalidInput(f"no captioner {name!r}", expected=f"one of {', '.join(map(repr, data.systems))}")
    if not wanted:
        return data
    rows = [row for row, item in enumerate(data.items) if item.system in wanted]
    return DataSet(
        data.title,
        tuple(data.items[row] for row in rows),
        scores={key: values[rows] for key, values in data.scores.items()},
        columns={name: tuple(values[row] for row in rows) for name, values in data.columns.items()},
    )


def _summary(data: DataSet, explored: Exploration, given: argparse.Namespace) -> _Found:
    from capeval_core.explore.compare import compare
    from capeval_core.explore.profile import by_system, profile
    from capeval_core.explore.slices import slices
    from capeval_core.explore.wording import wording

    findings = explored.findings
    people = profile(explored.people)
    lower = [key for key in data.scores if registry.get(key).direction == "lower"]
    return _Found(
        data,
        findings,
        profile(findings),
        people[0] if people else None,
        compare(findings, given.system, given.against) if given.against is not None else None,
        {
            name: slices(findings, scores=data.scores, lower=lower, columns=data.columns, rows=rows)
            for name, rows in by_system(findings).items()
        },
        [wording(data.items, name) for name in by_system(findings)],
    )


def _write_rows(findings: tuple[CaptionFindings, ...], path: Path) -> None:
    from capeval_core.io import writers

    with writers.replacing(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(one.row(), ensure_ascii=False) + "\n" for one in findings)


def _write_json(found: _Found, path: Path) -> None:
    from capeval_core.cli.judge_output import write_json
    from capeval_core.version import VERSION

    wordings = {one.system: one for one in found.wordings}
    systems = {
        one.system: {
            "profile": asdict(one),
            "slices": [_slice(part) for part in found.slices[one.system]],
            "wording": asdict(wordings[one.system]),
        }
        for one in found.profiles
    }
    content: dict[str, Any] = {"capeval": VERSION, "systems": systems}
    content["people"] = asdict(found.people) if found.people else None
    if found.comparison:
        content["comparison"] = asdict(found.comparison)
    write_json(content, path)


def _slice(one: Slice) -> dict[str, Any]:
    """Without its rows: they are in the input."""
    kept = {name: value for name, value in asdict(one).items() if name != "rows"}
    return {"name": kept.pop("name"), "kind": kept.pop("kind"), "captions": one.captions, "worst": one.worst, **kept}


def _write_html(found: _Found, path: Path) -> None:
    from capeval_core.figures import explore_report
    from capeval_core.figures.palette import LIGHT
    from capeval_core.io import writers
    from capeval_core.version import VERSION

    report = explore_report.Report(
        f"Explore: {Path(found.data.title).name}",
        found.data.size,
        found.profiles,
        found.people,
        found.comparison,
        dict(found.slices),
        found.wordings,
        found.data.items,
        found.findings,
        VERSION,
    )
    with writers.replacing(path) as temporary:
        temporary.write_text(explore_report.build(report, LIGHT), encoding="utf-8")


def _print(found: _Found) -> None:
    from capeval_core.explore.kinds import KINDS

    sides = [*found.profiles, *([found.people] if found.people else [])]
    width = max(22, *(len(one.label) for one in KINDS.values()))
    print("  ".join([f"{'errors per 100 captions':<{width}}", *(f"{(one.system or '-')[:22]:>22}" for one in sides)]))
    for kind in KINDS.values():
        rates = [one.rates[kind.key] for one in sides]
        cells = [f"{rate.rate:.1f} ({rate.low:.1f} to {rate.high:.1f})" for rate in rates]
        print("  ".join([f"{kind.label:<{width}}", *(f"{cell:>22}" for cell in cells)]))
    print("  ".join([f"{'support of nouns':<{width}}", *(f"{one.noun_support.rate:>22.3f}" for one in sides)]))
    print("  ".join([f"{'captions':<{width}}", *(f"{one.captions:>22,}" for one in sides)]))
    for sentence in found.comparison.sentences if found.comparison else ():
        print(sentence)
    for name, parts in found.slices.items():
        for one in [part for part in parts if part.worst][:3]:
            rate = one.rates["any"].value
            print(f"worst in {name or '-'}: {one.name} ({one.captions:,} captions, {rate:.1f} of 100 with an error)")
    if any(one.note for one in found.findings):
        print(next(one.note for one in found.findings if one.note))
