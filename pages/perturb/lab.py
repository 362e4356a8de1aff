"""What a visitor changes: a caption, its references, kinds of change, rows of their own. `st.session_state["lab"]`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from capeval_core import CaptionItem, InvalidInput, registry
from capeval_core.figures.differences import Pieces, changed, cut
from capeval_core.perturb import FAMILIES, KINDS, Variants
from capeval_core.perturb.variant import Variant
from pages.work.events import new_events, texts_of
from pages.work.workspace import IMAGE_ID, checked, first_metric, lines

MOST_OWN = 20  # rows a visitor may type
ORIGINAL, CANDIDATE = "original", "candidate"
FIRST_FAMILIES = FAMILIES[:3]  # the paper's three: synonyms, redundancy, word order


@dataclass(frozen=True, slots=True)
class Row:
    id: str
    label: str
    text: str
    pieces: Pieces
    note: str = ""  # what was changed, in words

    @property
    def is_variant(self) -> bool:
        return self.id not in (ORIGINAL, CANDIDATE)


@dataclass(frozen=True, slots=True)
class Request:
    """What the made rows depend on."""

    caption: str
    references: tuple[str, ...]
    kinds: tuple[str, ...]
    strength: int
    seed: int


@dataclass
class Lab:
    source: str = ""
    opened: tuple[object, ...] = ()  # what the source held then
    references: list[str] = field(default_factory=list)
    original: int = 0  # which reference is the row `original`
    caption: str = ""
    kinds: list[str] = field(default_factory=lambda: kinds_of(FIRST_FAMILIES))
    strength: int = 2
    seed: int = 0
    metrics: list[str] = field(default_factory=lambda: list(registry.keys()))
    given: dict[str, tuple[str, str]] = field(default_factory=dict)  # rows that came with the source: id -> label, text
    own: dict[str, str] = field(default_factory=dict)  # typed rows: id -> text
    edits: dict[tuple[str, Request], str] = field(default_factory=dict)  # made rows that were typed over, by kind
    view: str = "Evidence"  # below the grid
    open_row: str = ""
    open_key: str = ""
    message: str = ""  # what could not be done, shown once
    next_id: int = 1
    seen: int = 0  # number of the browser's last event

    def request(self, kinds: Iterable[str] | None = None) -> Request:
        chosen = self.kinds if kinds is None else kinds
        return Request(self.caption, tuple(self.references), tuple(chosen), self.strength, self.seed)

    def item(self, text: str) -> CaptionItem:
        return CaptionItem(IMAGE_ID, text, tuple(self.references))

    def rows(self, made: Variants | None) -> list[Row]:
        """Original, candidate, the source's rows, made ones (when they are known), the visitor's own."""
        rows = []
        if self.references:
            text = self.references[min(self.original, len(self.references) - 1)]
            rows.append(Row(ORIGINAL, "original", text, ((text, False),), "a reference, scored among the references"))
        rows.append(Row(CANDIDATE, "candidate", self.caption, ((self.caption, False),)))
        rows += [Row(name, label, text, self._diff(text)) for name, (label, text) in self.given.items()]
        rows += [self._made(variant) for variant in made or ()]
        rows += [Row(name, "your own", text, self._diff(text)) for name, text in self.own.items()]
        return rows

    def _made(self, variant: Variant) -> Row:
        kind = KINDS[variant.kind]
        edited = self.edits.get((kind.key, self.request(())))
        if edited is not None:
            return Row(kind.key, kind.label, edited, self._diff(edited), "edited by you")
        # A distractor's spans name the part it is called after; what differs from the candidate is what a reader seeks.
        whole = kind.family == "distractors" or not variant.spans
        pieces = self._diff(variant.text) if whole else cut(variant.text, variant.spans)
        return Row(kind.key, kind.label, variant.text, pieces, variant.change)

    def _diff(self, text: str) -> Pieces:
        return cut(text, changed(self.caption, text))

    def settle(self, rows: Sequence[Row]) -> None:
        """Point at a row and a metric that exist; METEOR's evidence of the first change where there is a choice.

        To be called when all rows are known."""
        if self.open_key not in self.metrics:
            self.open_key = first_metric(self.metrics)
        ids = [row.id for row in rows if row.is_variant] + [ORIGINAL, CANDIDATE]
        if self.open_row not in ids:
            self.open_row = ids[0]


@dataclass
class Shown:
    """Which of the page's two views is open; `st.session_state["perturb"]`."""

    view: str = ""


def kinds_of(families: Iterable[str]) -> list[str]:
    wanted = set(families)
    return [kind.key for kind in KINDS.values() if kind.family in wanted]


def apply(lab: Lab, sent: Any) -> bool:
    """Do what the browser asked for, each event once; True if what stands above the grid changed."""
    rewritten = False
    for event in new_events(sent, lab.seen):
        lab.seen = event["n"]
        try:
            rewritten = _apply_one(lab, event) or rewritten
        except InvalidInput as error:
            lab.message, rewritten = str(error), True
    return rewritten


def _apply_one(lab: Lab, event: Mapping[str, Any]) -> bool:
    captions = [text for one in texts_of(event) for text in lines(one)]
    row = str(event.get("id", ""))
    match event.get("op"):
        case "add" if captions:
            add(lab, captions)
        case "edit" if captions:
            return _edit(lab, row, checked(" ".join(captions)))
        case "remove":
            lab.own.pop(row, None)
            lab.given.pop(row, None)
            lab.kinds = [kind for kind in lab.kinds if kind != row]
            return row in KINDS
        case "open":
            lab.open_row = row
            lab.open_key = str(event.get("key")) if event.get("key") in lab.metrics else lab.open_key
    return False


def add(lab: Lab, captions: Iterable[str]) -> None:
    for caption in captions:
        if len(lab.own) >= MOST_OWN:
            raise InvalidInput("too many rows of your own", expected=f"at most {MOST_OWN}", fix="remove one")
        lab.own[f"own {lab.next_id}"] = checked(caption)
        lab.next_id += 1


def _edit(lab: Lab, row: str, text: str) -> bool:
    """True where what stands above the grid changes too."""
    if row == CANDIDATE:
        lab.caption = text
    elif row == ORIGINAL and lab.references:
        lab.references[min(lab.original, len(lab.references) - 1)] = text
    elif row in lab.own:
        lab.own[row] = text
    elif row in lab.given:
        lab.given[row] = (lab.given[row][0], text)
    elif row in KINDS:
        lab.edits[row, lab.request(())] = text
    return row in (CANDIDATE, ORIGINAL)
