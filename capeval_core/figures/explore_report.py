"""The report of Explore: one HTML file with profiles, slices, wording and the strongest captions of each error. It
opens anywhere, asks no server for anything and runs no script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from capeval_core.explore.compare import Comparison
from capeval_core.explore.findings import CaptionFindings, Error
from capeval_core.explore.kinds import KINDS
from capeval_core.explore.profile import SystemProfile
from capeval_core.explore.slices import Slice
from capeval_core.explore.wording import Wording
from capeval_core.figures import explore
from capeval_core.figures.html import caption_html, legend_html
from capeval_core.figures.markup import fill, style
from capeval_core.figures.palette import Palette
from capeval_core.figures.tables import render
from capeval_core.types import CaptionItem

CARDS = 10  # of each error
SLICES = 25  # of each captioner
LISTED = 200  # captions of a filtered list
Card = dict[str, object]


@dataclass(frozen=True, slots=True)
class Report:
    title: str
    size: str  # 10,000 captions, 4 captioners, 2,500 images
    profiles: Sequence[SystemProfile]
    people: SystemProfile | None
    comparison: Comparison | None
    slices: dict[str, Sequence[Slice]]  # by captioner
    wordings: Sequence[Wording]
    items: Sequence[CaptionItem]
    findings: Sequence[CaptionFindings]  # of the items; those to show
    version: str
    filters: str = ""  # in words: then the captions are also listed in the order given
    pictures: Mapping[str, str] = field(default_factory=dict)  # by image id, as data: addresses


def build(report: Report, palette: Palette) -> str:
    compared = report.comparison
    return str(
        fill(
            "explore.html",
            palette,
            title=report.title,
            version=report.version,
            size=report.size,
            style=style(),
            profile=render(explore.profile_grid(report.profiles, report.people, palette), palette),
            comparison=compared,
            differences=render(explore.differences_grid(compared), palette) if compared else "",
            slices=[
                (name, render(explore.slices_grid(found[:SLICES]), palette))
                for name, found in report.slices.items()
                if found
            ],
            wordings=[
                (
                    one,
                    explore.diversity(one),
                    render(explore.words_grid(one), palette),
                    render(explore.templates_grid(one), palette),
                )
                for one in report.wordings
            ],
            remark=explore.NOTE,
            legend=legend_html(palette, ["matched", "near", "extra"]),
            filters=report.filters,
            listed=_listed(report, palette) if report.filters else [],
            more=len(report.findings) - LISTED,
            errors=[part for kind in KINDS if (part := _error(report, kind, palette))],
        )
    )  # fmt: skip


def _listed(report: Report, palette: Palette) -> list[Card]:
    """The first of the list, each with all its errors."""
    return [_card(report, row, one.errors, palette) for row, one in enumerate(report.findings[:LISTED])]


def _error(report: Report, kind: str, palette: Palette) -> tuple[str, str, int, list[Card]] | None:
    """Its name, description, how many captions have it, and the strongest of them."""
    found = [(error, row) for row, one in enumerate(report.findings) for error in one.errors if error.kind == kind]
    if not found:
        return None
    found.sort(key=lambda pair: -pair[0].strength)
    shown = {row: error for error, row in reversed(found[: 3 * CARDS])}
    strongest = sorted(shown, key=lambda row: -shown[row].strength)[:CARDS]
    cards = [_card(report, row, [shown[row]], palette) for row in strongest]
    return KINDS[kind].label, KINDS[kind].description, len({row for _, row in found}), cards


def _card(report: Report, row: int, errors: Sequence[Error], palette: Palette) -> Card:
    one, item = report.findings[row], report.items[row]
    number = next((error.reference for error in errors if error.reference is not None), one.telling)
    return {
        "about": " · ".join(part for part in (one.image_id, one.system) if part),
        "picture": report.pictures.get(one.image_id, ""),
        "caption": caption_html(explore.caption(one), palette),
        "evidence": [error.evidence for error in errors],
        "reference": "" if number is None else item.references[number],
    }
