"""A metric as a column of a table of ours: its group, label, colour, and what differs from the paper or the default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from capeval_core import options as metric_options
from capeval_core.figures.palette import Palette
from capeval_core.registry import MetricSpec
from pages.shell import theme
from pages.widgets import formats
from pages.work.cells import Cell


def groups(specs: Sequence[MetricSpec], palette: Palette) -> list[dict[str, Any]]:
    return [
        {"name": name, "span": len(list(group)), "colour": theme.group_colour(palette, name)}
        for name, group in groupby(specs, key=lambda spec: spec.group)
    ]


def column(
    spec: MetricSpec, cells: Sequence[Cell | None], options: Mapping[str, Any], palette: Palette
) -> dict[str, Any]:
    stand_in = next((cell.stand_in for cell in cells if cell and cell.stand_in), None)
    return {
        "key": spec.key,
        "label": spec.label,
        "tip": formats.tooltip(spec),
        "colour": theme.group_colour(palette, spec.group),
        "badge": stand_in.badge if stand_in else "",
        "options": differing(spec, options),
    }


def differing(spec: MetricSpec, options: Mapping[str, Any]) -> str:
    """The options that are not the default's, in words; nothing where all are."""
    found = [metric_options.describe(name, options[name]) for name in spec.behind if name in options]
    return ", ".join(filter(None, found))
