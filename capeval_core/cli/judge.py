"""judge: how well metrics agree with people, by the captions' ratings or by pairs of captions."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from capeval_core import registry
from capeval_core.cli import settings
from capeval_core.errors import InvalidInput

if TYPE_CHECKING:
    from capeval_core.analysis.judging import Judging, Settings
    from capeval_core.io.dataset import DataSet
    from capeval_core.io.judgements import Judgements
    from capeval_core.io.presets import Preset

PRESETS = ("flickr8k-expert", "flickr8k-cf", "composite", "pascal50s")
LABELS = {"pearson": "Pearson", "spearman": "Spearman", "kendall_b": "tau-b", "kendall_c": "tau-c"}


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
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    from capeval_core.analysis import judging
    from capeval_core.io import presets

    _check(given)
    preset = presets.PRESETS[given.preset] if given.preset else None
    keys = _keys(given.metrics)
    people = _read(given, preset, keys)
    data, skipped, signatures = _score(given, people.data, keys)
    found = _judge(replace(people, data=data), _settings(given, preset), settings.Bar())
    found = judging.described(found, _protocol(found, people, given, preset), signatures)
    if given.out:
        _write(judging.as_json(found, given.correction), given.out)
    if given.html:
        _write_html(found, given.html)
    _print(found)
    for key, error in skipped.items():
        print(f"capeval: {key} skipped: {error}", file=sys.stderr)
    return 3 if skipped else 0


def _check(given: argparse.Namespace) -> None:
    from capeval_core.io import writers

    for path, kinds in ((given.out, (".json",)), (given.html, (".html",))):
        if path:
            writers.check_target(path, kinds)
            settings.check_apart(path, [*given.inputs, *map(str, given.ratings_file), str(given.scores or "")])
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


def _score(given: argparse.Namespace, data: DataSet, keys: list[str]) -> tuple[DataSet, dict[str, Any], dict[str, str]]:
    """The data set with all scores asked for, the metrics that could not score, and how each number was made."""
    from capeval_core.service import evaluate

    bare = not any(item.references for item in data.items)
    wanted = keys or [key for key in registry.keys() if key in data.scores or not (bare and data.scores)]
    missing = [spec.key for spec in registry.select(key for key in wanted if key not in data.scores)]
    signatures = {key: one for key, one in _known_signatures(given).items() if key in data.scores}
    signatures |= {key: f"{key}|given" for key in wanted if key in data.scores and key not in signatures}
    if not missing:
        return replace(data, scores={key: data.scores[key] for key in wanted}), {}, _ordered(signatures, wanted)
    options, device, bar = settings.options(given), settings.device(given), settings.Bar()
    evaluation = evaluate(data.items, missing, options=options, device=device, on_progress=bar)
    bar.close()
    scores = {**data.scores, **evaluation.scores}
    signatures |= evaluation.signatures
    scored = replace(data, scores={key: scores[key] for key in wanted if key in scores})
    return scored, dict(evaluation.skipped), _ordered(signatures, wanted)


def _ordered(signatures: Mapping[str, str], wanted: list[str]) -> dict[str, str]:
    return {key: signatures[key] for key in wanted if key in signatures}


def _known_signatures(given: argparse.Namespace) -> dict[str, str]:
    """What `score` wrote beside its rows says how they were made."""
    paths = [Path(given.scores)] if given.scores else [Path(name.partition("=")[2] or name) for name in given.inputs]
    found: dict[str, str] = {}
    for path in paths[:1]:
        beside = path.with_suffix(".corpus.json")
        if beside.is_file():
            try:
                content = json.loads(beside.read_text(encoding="utf-8"))
                found |= {str(key): str(one) for key, one in content["signatures"].items()}
            except (ValueError, KeyError, AttributeError, TypeError, OSError):
                continue  # another file of that name
    return found


def _settings(given: argparse.Namespace, preset: Preset | None) -> Settings:
    from capeval_core.analysis.judging import Settings

    way = given.ratings or (preset.way if preset else "") or "flatten"
    return Settings(way, preset.headline if preset else "kendall_c", given.samples, given.seed)


def _judge(people: Judgements, how: Settings, bar: settings.Bar) -> Judging:
    from capeval_core.analysis import judging
    from capeval_core.analysis.ratings import as_table

    data = people.data
    images, captioners = [item.image_id for item in data.items], [item.system for item in data.items]
    if people.pairs is not None:
        pairs = people.pairs
        return judging.judge_pairs(data.scores, pairs.first, pairs.second, pairs.winners, pairs.groups, images, how)
    if people.captioners:
        return judging.judge_captioners(data.scores, captioners, people.captioners, how)
    table = as_table(data.ratings or ())
    found = judging.judge_captions(
        data.scores, table, images, captioners, how, raters=people.raters or None, on_progress=bar
    )
    bar.close()
    return found


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


def _write(content: dict[str, Any], path: Path) -> None:
    from capeval_core.io import writers

    with writers.replacing(path) as temporary:
        text = json.dumps(writers.plain(content), ensure_ascii=False, indent=1)
        temporary.write_text(text + "\n", encoding="utf-8")


def _write_html(found: Judging, path: Path) -> None:
    from capeval_core.analysis import williams
    from capeval_core.figures import judges_report
    from capeval_core.figures.judge_tables import by_value
    from capeval_core.figures.palette import LIGHT
    from capeval_core.io import writers

    corrected = williams.holm(found.williams)
    groups = williams.groups(corrected, by_value(found.metrics, "pearson")) if found.metrics else {}
    with writers.replacing(path) as temporary:
        temporary.write_text(judges_report.build(found, groups, corrected, LIGHT), encoding="utf-8")


def _print(found: Judging) -> None:
    print(found.protocol)
    if found.pairs:
        groups = list(found.pairs)
        print("  ".join([f"{'metric':<10}", *(f"{group[:22]:>22}" for group in groups), f"{'mean':>6}"]))
        for key in found.pairs[groups[0]]:
            row = [found.pairs[group][key] for group in groups]
            cells = [f"{_percent(one.accuracy)} ({_percent(one.low)} to {_percent(one.high)})" for one in row]
            mean = sum(one.accuracy for one in row) / len(row)
            print("  ".join([f"{key:<10}", *(f"{cell:>22}" for cell in cells), f"{_percent(mean):>6}"]))
    if found.metrics:
        print("  ".join([f"{'metric':<10}", *(f"{label:>24}" for label in LABELS.values())]))
    for key, quality in found.metrics.items():
        estimates = [quality.of(name) for name in LABELS]
        cells = [f"{one.value:.3f} ({one.low:.3f} to {one.high:.3f})" for one in estimates]
        print("  ".join([f"{key:<10}", *(f"{cell:>24}" for cell in cells)]))
    if found.agreement:
        one, alpha = found.agreement.one, found.agreement.alpha
        print(f"raters: Krippendorff's alpha {alpha.value:.3f} ({alpha.low:.3f} to {alpha.high:.3f})")
        values = "  ".join(f"{text} {one.of(each).value:.3f}" for each, text in LABELS.items())
        print(f"one rating against the mean of the others: {values}")
    for signature in found.signatures.values():
        print(signature)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
