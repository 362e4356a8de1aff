"""What commands that score have in common: metric options, references, device, and a progress bar."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from capeval_core import options as metric_options
from capeval_core import registry
from capeval_core.errors import InvalidInput
from capeval_core.option_fields import OptionField

TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--references", type=Path, metavar="FILE", help="COCO annotation file (for COCO results)")
    parser.add_argument("--idf", default="auto", metavar="coco|corpus|FILE", help="CIDEr's document frequencies")
    parser.add_argument("--smoothing", default="none", choices=("none", "lin-och"), help="BLEU's smoothing")
    parser.add_argument("--cider-variant", default="cider-d", choices=("cider-d", "cider"), help="cider: the plain one")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="METRIC.NAME=VALUE",
        help="any option of a metric (wmd.combine=mean); repeat for several",
    )
    parser.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda", "mps"))


def metric_keys(wanted: str) -> list[str]:
    """What --metrics names, in the order of the registry."""
    chosen = None if wanted == "all" else [key.strip() for key in wanted.split(",")]
    return [spec.key for spec in registry.select(chosen)]


def options(given: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """By metric name; --set, which names its metric, goes before the flags."""
    found: dict[str, dict[str, Any]] = {
        "bleu": {"smoothing": given.smoothing},
        "cider": {"idf": given.idf, "variant": given.cider_variant},
    }
    for setting in given.set:
        metric, name, value = _setting(setting)
        found.setdefault(metric, {})[name] = value
    return found


def _setting(given: str) -> tuple[str, str, Any]:
    target, equals, value = given.partition("=")
    metric, dot, name = target.partition(".")
    if not (equals and dot):
        raise InvalidInput("--set", expected="METRIC.NAME=VALUE", found=repr(given))
    if metric not in registry.metrics():
        raise InvalidInput(f"--set: unknown metric {metric!r}", expected=f"one of {', '.join(registry.metrics())}")
    found = next((one for one in metric_options.fields(metric) if one.name == name), None)
    if found is None:
        raise InvalidInput(f"--set: {metric} has no option {name!r}", expected=metric_options.names(metric))
    return metric, name, read_value(value, found, f"--set: {metric}.{name}")


def read_value(text: str, field: OptionField, where: str) -> Any:
    """What was typed, in the option's own type and within its bounds."""
    readers: dict[str, Callable[[str], Any]] = {"number": float, "whole": int, "flag": lambda word: TRUTH[word.lower()]}
    try:
        value = readers.get(field.kind, str)(text)
    except (KeyError, ValueError):
        value = text
    return field.check(value, where)


def device(given: argparse.Namespace) -> str:
    """A device asked for by name is checked now, before any work; `auto` is left to the metrics that need one."""
    from capeval_core.resources import device

    return device.choose(given.device) if given.device not in ("auto", "cpu") else str(given.device)


def check_apart(out: Path, inputs: Sequence[str]) -> None:
    if any(out.resolve() == Path(name.partition("=")[2] or name).resolve() for name in inputs):
        raise InvalidInput(f"{out} is the input itself", fix="choose another name for --out")


class Bar:
    """A progress bar on stderr, for people only: the stage, how far it is, how fast, and the time that is left."""

    def __init__(self, unit: str = "") -> None:
        self.shown = sys.stderr.isatty()
        self._unit = unit  # what is counted, where the speed says something
        self._stage, self._began, self._first = "", 0.0, 0

    def __call__(self, stage: str, done: int, total: int) -> None:
        if not self.shown:
            return
        if stage != self._stage:
            self._stage, self._began, self._first = stage, time.monotonic(), done
        share = done / total if total else 1.0
        bar = f"[{'#' * int(share * 30):<30}] {share:4.0%}" if total else f"{done:,} {self._unit}"
        self._print(f"{stage[:24]:<24} {bar} {self._pace(done, total)}")

    def _print(self, line: str) -> None:
        """In place of the last; one that is wider than the screen would not be."""
        width = shutil.get_terminal_size().columns - 1
        print(f"\r{line[:width]:<{width}}", end="", file=sys.stderr, flush=True)

    def _pace(self, done: int, total: int) -> str:
        new, seconds = done - self._first, time.monotonic() - self._began
        if not new or not total or not self._unit or seconds <= 0:
            return ""
        left = int((total - done) * seconds / new)
        return f"{new / seconds:,.0f} {self._unit}/s, {left // 3600}:{left // 60 % 60:02}:{left % 60:02} left"

    def close(self) -> None:
        if self.shown:
            self._print("")
            print("\r", end="", file=sys.stderr, flush=True)
