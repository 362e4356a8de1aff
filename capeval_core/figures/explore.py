"""Explore drawn: profiles, differences, slices and wording as tables, and a caption with its words marked."""

from __future__ import annotations

import math
from collections.abc import Sequence

from capeval_core import registry
from capeval_core.analysis.correlations import Estimate
from capeval_core.explore.compare import Comparison
from capeval_core.explore.disagreement import Disagreement
from capeval_core.explore.findings import CaptionFindings, WordSupport
from capeval_core.explore.kinds import KINDS
from capeval_core.explore.profile import Rate, SystemProfile
from capeval_core.explore.slices import Slice
from capeval_core.explore.wording import Wording
from capeval_core.figures import draw
from capeval_core.figures.evidence import Caption, Word
from capeval_core.figures.palette import Palette
from capeval_core.figures.tables import Bar, Cell, Column, Grid, Row
from capeval_core.types import Explanation

BACKED, NEAR = 0.7, 0.45  # support from which a word counts as backed, as near
NOTE = "The references are not the image: what nobody mentions may still be there."
PEOPLE_NOTE = "People: each reference against the others of its image. That is one fewer, so their rates are higher."
_NAME = Column(Cell("error"), "left", names=True)


def label(kind: str) -> str:
    return KINDS[kind].label if kind in KINDS else "Any error"


def profile_grid(profiles: Sequence[SystemProfile], people: SystemProfile | None, palette: Palette) -> Grid:
    """Errors per 100 captions, one column per captioner; the hollow mark is people's rate."""
    most = max((rate.rate for one in profiles for rate in (*one.rates.values(), one.any)), default=0.0) or 1.0
    columns = (
        _NAME,
        *(Column(Cell(one.system or "-")) for one in profiles),
        *([Column(Cell("people"))] if people else []),
    )
    rows = []
    for kind in (*KINDS, "any"):
        base = _rate(people, kind) if people else None
        cells = [_bar(_rate(one, kind), base, most, palette.systems[place % len(palette.systems)])
                 for place, one in enumerate(profiles)]  # fmt: skip
        shown = [_text(base)] if base else []
        tip = KINDS[kind].description if kind in KINDS else ""
        rows.append(Row((Cell(label(kind), tip=tip), *cells, *shown), bold=kind == "any"))
    support = [Cell(f"{one.noun_support.rate:.3f}") for one in (*profiles, *([people] if people else []))]
    rows.append(Row((Cell("Support of nouns", tip="Mean of the captions, 0 to 1"), *support)))
    note = "Per 100 captions, with 95 % intervals (bootstrap over images). "
    if people:
        note += f"{PEOPLE_NOTE} They are the hollow mark on a bar. "
    return Grid(columns, tuple(rows), note=note + NOTE, full=True)


def _rate(one: SystemProfile, kind: str) -> Rate:
    return one.any if kind == "any" else one.rates[kind]


def _bar(rate: Rate, people: Rate | None, most: float, colour: str) -> Cell:
    span = None if math.isnan(rate.low) else (rate.low / most, min(rate.high / most, 1.0))
    hollow = min(people.rate / most, 1.0) if people else None
    return Cell(
        f"{rate.rate:.1f}",
        under=_between(rate.low, rate.high),
        bar=Bar(0.0, rate.rate / most, colour, (), span, hollow),
    )


def _text(rate: Rate) -> Cell:
    return Cell(f"{rate.rate:.1f}", under=_between(rate.low, rate.high))


def _between(low: float, high: float, digits: int = 1) -> str:
    return "" if math.isnan(low) else f"{low:.{digits}f} to {high:.{digits}f}"


def differences_grid(found: Comparison) -> Grid:
    """Bold where the difference is hardly chance (p below 0.05 after Holm's correction)."""
    columns = (_NAME, Column(Cell(found.system or "-")), Column(Cell(found.against or "-")), Column(Cell("difference")))
    rows = [
        Row(
            (
                Cell(label(one.kind)),
                Cell(f"{one.system:.1f}"),
                Cell(f"{one.against:.1f}"),
                Cell(f"{one.difference:+.1f}", under=_between(one.low, one.high), bold=one.corrected < 0.05),
            )
        )
        for one in found.differences
    ]
    return Grid(columns, tuple(rows), note=f"Per 100 captions, paired on {found.images:,} images. Bold: hardly chance.")


def slices_grid(found: Sequence[Slice]) -> Grid:
    keys = list(found[0].means) if found else []
    columns = (
        Column(Cell("captions of which"), "left", names=True),
        Column(Cell("captions")),
        Column(Cell("any error")),
        *(Column(Cell(_measure(key))) for key in keys),
        Column(Cell("worse than the rest in"), "left", wide=True),
    )
    rows = [
        Row(
            (
                Cell(one.name),
                Cell(f"{one.captions:,}"),
                _estimate(one.rates["any"], 1),
                *(_estimate(one.means[key], 3) for key in keys),
                Cell(", ".join(f"{_measure(key)} (p {p_value:.2g})" for key, p_value in one.worse.items())),
            )
        )
        for one in found
    ]
    return Grid(
        columns, tuple(rows), note="Errors per 100 captions; p after Holm's correction over all slices.", full=True
    )


def _measure(key: str) -> str:
    names = {"any": "any error", "noun_support": "support of nouns"}
    return names.get(key) or (registry.get(key).label if key in registry.keys() else key)


def _estimate(one: Estimate, digits: int) -> Cell:
    return Cell("–" if math.isnan(one.value) else f"{one.value:.{digits}f}", under=_between(one.low, one.high, digits))


def words_grid(found: Wording) -> Grid:
    """Words a captioner uses more, and less, than people."""
    columns = (
        Column(Cell("word"), "left", names=True),
        Column(Cell("captioner")),
        Column(Cell("people")),
        Column(Cell("z", tip="Log-odds with an informative prior, in standard errors")),
    )
    rows = []
    for heading, words in (("used more than people do", found.more), ("used less", found.less)):
        for place, one in enumerate(words):
            cells = (Cell(one.word), Cell(f"{one.captioner:.1f}"), Cell(f"{one.people:.1f}"), Cell(f"{one.z:+.1f}"))
            rows.append(Row(cells, heading=heading if not place else ""))
    return Grid(columns, tuple(rows), note="Per 1,000 words.")


def templates_grid(found: Wording) -> Grid:
    columns = (
        Column(Cell("template"), "left", names=True),
        Column(Cell("captions")),
        Column(Cell("per cent")),
        Column(Cell("of people's")),
        Column(Cell("example"), "left", wide=True),
    )
    rows = [
        Row(
            (
                Cell(one.pattern),
                Cell(f"{one.captions:,}"),
                Cell(f"{100 * one.share:.1f}"),
                Cell(f"{100 * one.people:.1f}"),
                Cell(one.example),
            )
        )
        for one in found.templates[:10]
    ]
    return Grid(columns, tuple(rows), full=True)


def diversity(found: Wording) -> str:
    return (
        f"{found.distinct:,} of {found.captions:,} captions are distinct ({found.people_distinct:,} of "
        f"{found.people_captions:,} references). {found.vocabulary:,} different words in {found.words:,}; people use "
        f"{found.people_vocabulary:,} in as many. {found.length:.1f} words per caption, people "
        f"{found.people_length:.1f}."
    )


def caption(found: CaptionFindings, name: str = "candidate") -> Caption:
    """The candidate, its content words marked by how far the references back them; words of an error stand out."""
    by_start = {one.span[0]: one for one in found.support}
    blamed = {span: error.evidence for error in reversed(found.errors) for span in error.spans}
    words = [_word(piece, span, by_start.get(span[0]), blamed) for piece, span in _pieces(found.text)]
    return Caption(name, tuple(words))


def _pieces(text: str) -> list[tuple[str, tuple[int, int]]]:
    found, at = [], 0
    for piece in text.split():
        at = text.index(piece, at)
        found.append((piece, (at, at + len(piece))))
        at += len(piece)
    return found


def _word(text: str, span: tuple[int, int], support: WordSupport | None, blamed: dict[tuple[int, int], str]) -> Word:
    wrong = next((why for (start, end), why in blamed.items() if start < span[1] and span[0] < end), "")
    if wrong:
        return Word(text, "extra", 0.9, wrong)
    if support is None:
        return Word(text)
    kind = "matched" if support.value >= BACKED else "near" if support.value >= NEAR else "extra"
    hint = f"support {support.value:.2f}" + (f", closest: {support.closest}" if support.closest else "")
    return Word(text, kind, 0.25 if kind != "extra" else 0.5, hint)


def why(
    one: Disagreement,
    found: CaptionFindings,
    high: Explanation | None,
    low: Explanation | None,
    palette: Palette,
) -> str:
    """Why two metrics disagree on a caption: both metrics' evidence in a sentence each, then what Explore finds."""
    parts = []
    for key, word, explanation in ((one.higher, "high", high), (one.lowest, "low", low)):
        text = f"{_measure(key)} puts it {word}"
        parts.append(f"{text}: {draw(explanation, palette).sentence}" if explanation else f"{text}.")
    errors = " ".join(error.evidence for error in found.errors[:2])
    return " ".join([*parts, errors or "Explore finds no error in it."])
