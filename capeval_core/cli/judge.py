"""judge: how well metrics agree with people, by the captions' ratings or by pairs of captions."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from capeval_core import registry
from capeval_core.cli import judge_output, scaling, settings
from capeval_core.errors import CapEvalError, InvalidInput
from capeval_core.types import Array, StandIn

if TYPE_CHECKING:
    from capeval_core.analysis.judging import Judging, Settings
    from capeval_core.io.dataset import DataSet
    from capeval_core.io.judgements import Judgements
    from capeval_core.io.presets import Preset

PRESETS = ("flickr8k-expert", "flickr8k-cf", "composite", "pascal50s")


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="INPUT",
        help="captions with rating or ratings, or pairs with winner; what score wrote; with --preset a folder",
    )
    parser.add_argument("--preset", choices=PRESETS, help="a public data set, read and compared as papers do")
    parser.add_argument("--metrics", default="all", metavar="all|a,b", help="metrics, or columns of the input")
    parser.add_argument(
        "--ratings", choices=("flatten", "mean", "mode"), help="of several raters (flatten, or as the preset has it)"
    )
    parser.add_argument(
        "--ratings-file",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="ratings or pairs by image_id, system, candidate (or some of these); repeat for several raters",
    )
    parser.add_argument("--scores", type=Path, metavar="FILE", help="what score wrote for the same captions")
    parser.add_argument("--correction", default="none", choices=("none", "holm"), help="of the p values in --out")
    parser.add_argument("--samples", type=int, default=1_000, metavar="N", help="bootstrap samples of images (1000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, metavar="FILE.json")
    parser.add_argument("--html", type=Path, metavar="FILE.html", help="a report with tables and charts")
    settings.add(parser)
    scaling.add(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    from capeval_core.analysis import judging
    from capeval_core.io import presets

    _check(given)
    preset = presets.PRESETS[given.preset] if given.preset else None
    keys = _keys(given.metrics)
    people = _read(given, preset, keys)
    scored = _score(given, people.data, keys)
    bar = settings.Bar()
    found = judging.judge(
        people.data.items,
        scored.scores,
        ratings=people.data.ratings or (),
        raters=people.raters,
        pairs=people.pairs,
        captioners=people.captioners,
        settings=_settings(given, preset),
        on_progress=bar,
    )
    bar.close()
    protocol = _protocol(found, people, given, preset)
    found = replace(found, protocol=protocol, signatures=scored.signatures, stand_ins=scored.stand_ins)
    if given.out:
        judge_output.write_json(judging.as_json(found, given.correction), given.out)
    if given.html:
        judge_output.write_html(found, given.html)
    judge_output.show(found)
    return _warn(found, people, scored.skipped)


def _warn(found: Judging, people: Judgements, skipped: Mapping[str, CapEvalError]) -> int:
    unrated = 0 if people.pairs is not None or people.captioners else len(people.data.items) - found.rows
    if unrated:
        print(f"capeval: {unrated:,} captions without a rating are left out", file=sys.stderr)
    for key, error in skipped.items():
        print(f"capeval: {key} skipped: {error}", file=sys.stderr)
    return 3 if skipped else 0


def _check(given: argparse.Namespace) -> None:
    from capeval_core.io import writers

    for path, kinds in ((given.out, (".json",)), (given.html, (".html",))):
        if path:
            writers.check_target(path, kinds)
            settings.check_apart(path, [*given.inputs, *map(str, given.ratings_file), str(given.scores or "")])
    scaling.check(given)
    if given.samples < 1:
        raise InvalidInput("--samples", expected="1 or more", found=str(given.samples))
    if given.seed < 0:
        raise InvalidInput("--seed", expected="0 or more", found=str(given.seed))
    if given.preset and len(given.inputs) != 1:
        raise InvalidInput("--preset", expected="one INPUT, the folder of its files", found=str(len(given.inputs)))


def _keys(wanted: str) -> list[str]:
    """Registry keys, then names that only a column of the input can have; empty for all."""
    return [] if wanted == "all" else list(dict.fromkeys(name.strip() for name in wanted.split(",") if name.strip()))


def _read(given: argparse.Namespace, preset: Preset | None, keys: list[str]) -> Judgements:
    from capeval_core.io import judgements, presets, readers, sources

    columns = keys or list(registry.keys())
    scored = sources.at(given.scores) if given.scores else None
    judged = [sources.at(path) for path in given.ratings_file]
    if preset is None:
        files = [sources.at(path, name) for name, path in readers.split_names(given.inputs)]
        references = sources.at(given.references) if given.references else None
        return judgements.read(files, references=references, judged=judged, scored=scored, keys=columns)
    if judged:
        raise InvalidInput("--ratings-file", expected="no such file: the preset has its own ratings")
    people = presets.read(preset.key, Path(given.inputs[0]))
    return replace(people, data=judgements.with_scores(people.data, scored, columns)) if scored else people


@dataclass(frozen=True)
class _Scored:
    """All scores asked for, how each was made, and the metrics that could not score."""

    scores: dict[str, Array]
    signatures: dict[str, str]
    stand_ins: dict[str, str]
    skipped: dict[str, CapEvalError]


def _score(given: argparse.Namespace, data: DataSet, keys: list[str]) -> _Scored:
    """Columns that are there are not scored again."""
    bare = not any(item.references for item in data.items)
    wanted = keys or [key for key in registry.keys() if key in data.scores or not (bare and data.scores)]
    missing = [spec.key for spec in registry.select(key for key in wanted if key not in data.scores)]
    scores, (signatures, stand_ins) = dict(data.scores), _known(given)
    signatures = {key: signatures.get(key, f"{key}|given") for key in scores}
    stand_ins = {key: badge for key, badge in stand_ins.items() if key in scores}
    skipped: dict[str, CapEvalError] = {}
    if missing:
        bar = settings.Bar()
        evaluation = scaling.evaluate(given, data.items, missing, bar)
        bar.close()
        scores |= evaluation.scores
        signatures |= evaluation.signatures
        stand_ins |= {key: one.badge for key, one in evaluation.stand_ins.items()}
        skipped = evaluation.skipped
    found = [key for key in wanted if key in scores]
    made = {key: signatures[key] for key in found}
    return _Scored(
        {key: scores[key] for key in found}, made, {key: stand_ins[key] for key in found if key in stand_ins}, skipped
    )


def _known(given: argparse.Namespace) -> tuple[dict[str, str], dict[str, str]]:
    """What `score` wrote beside its rows says how they were made: signatures and stand-ins."""
    path = Path(given.scores or given.inputs[0])
    try:
        content = json.loads(path.with_suffix(".corpus.json").read_text(encoding="utf-8"))
        signatures = {str(key): str(one) for key, one in content["signatures"].items()}
        return signatures, {str(key): StandIn(**one).badge for key, one in content["stand_ins"].items()}
    except (ValueError, KeyError, AttributeError, TypeError, OSError):
        return {}, {}  # there is none, or another file of that name


def _settings(given: argparse.Namespace, preset: Preset | None) -> Settings:
    from capeval_core.analysis.judging import Settings

    way = given.ratings or (preset.way if preset else "") or "flatten"
    return Settings(way, preset.headline if preset else "kendall_c", given.samples, given.seed)


def _protocol(found: Judging, people: Judgements, given: argparse.Namespace, preset: Preset | None) -> str:
    from capeval_core.io import presets

    drawn = _drawn(given, "images")
    if preset:
        return f"{preset.line(found.rows, given.ratings or '')}; {drawn}"
    title = people.data.title
    if people.pairs is not None:
        return f"{title}: {found.rows:,} pairs; accuracy, ties half; {drawn}"
    if people.captioners:
        return (
            f"{title}: {found.rows:,} captioners, their mean scores beside their ratings; {_drawn(given, 'captioners')}"
        )
    several = max(map(len, people.data.ratings or ()), default=0) > 1
    way = f"; {presets.WAYS[given.ratings or 'flatten']}" if several else ""
    return f"{title}: {found.rows:,} rated captions of {len(people.data.images_rows):,} images{way}; {drawn}"


def _drawn(given: argparse.Namespace, what: str) -> str:
    return f"intervals: 95 %, {given.samples:,} samples of {what}"
