"""Where a caption to change comes from: Inspect's workspace, a sample, or the paper's own example."""

from __future__ import annotations

from dataclasses import dataclass

from pages.perturb.lab import FIRST_FAMILIES, Lab, kinds_of
from pages.work.samples import samples
from pages.work.workspace import Workspace

INSPECT, PAPER = "from Inspect", "Table 2"


@dataclass(frozen=True, slots=True)
class Source:
    id: str
    title: str
    image: bytes | None
    credit: str
    references: tuple[str, ...]
    captions: tuple[tuple[str, str], ...]  # who wrote it, the caption
    given: tuple[tuple[str, str], ...] = ()  # rows it brings along: label, caption
    first: int = 0  # which caption to begin with

    @property
    def content(self) -> tuple[object, ...]:
        return self.references, self.captions


def titles(ws: Workspace) -> dict[str, str]:
    """What there is to choose from, by id; the paper's example has a button of its own too."""
    own = {INSPECT: f"Inspect's captions: {ws.title or 'your own'}"} if ws.candidates else {}
    return own | {PAPER: "The paper's example (Table 2)"} | {one.id: one.title for one in samples()}


def find(identity: str, ws: Workspace) -> Source:
    """The source of that id; the paper's example where there is none."""
    if identity == INSPECT and ws.candidates:
        captions = tuple((one.system, one.caption) for one in ws.candidates)
        first = next((place for place, one in enumerate(ws.candidates) if one.id == ws.chosen), 0)
        return Source(INSPECT, ws.title, ws.image, ws.credit, tuple(ws.references), captions, first=first)
    for one in samples():
        if one.id == identity:
            captions = tuple(one.candidates.items())
            return Source(one.id, one.title, one.image.read_bytes(), one.credit, one.references, captions)
    canoe = next(one for one in samples() if one.variants)
    rows = dict(canoe.variants)
    references, captions = (rows.pop("original"),), (("candidate", rows.pop("candidate")),)
    return Source(PAPER, "Table 2", canoe.image.read_bytes(), canoe.credit, references, captions, tuple(rows.items()))


def open_source(lab: Lab, source: Source) -> None:
    """The source takes the place of what was there; metrics, strength and seed stay. Its own rows need no made ones."""
    lab.source, lab.references, lab.original = source.id, list(source.references), 0
    lab.opened = source.content
    lab.caption = source.captions[source.first][1] if source.captions else ""
    lab.given = {f"given {label}": (label, text) for label, text in source.given}
    lab.own, lab.edits = {}, {}
    if source.given:
        lab.kinds = []
    elif not lab.kinds:
        lab.kinds = kinds_of(FIRST_FAMILIES)
    lab.open_row = ""
