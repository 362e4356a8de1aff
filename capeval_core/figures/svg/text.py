"""Words in SVG: plotly's little HTML (bold, colour, line breaks) as tspans, and about how wide a text is."""

from __future__ import annotations

import re
from html import unescape

from markupsafe import Markup, escape

from capeval_core.figures.words import clean

SIZE = 13.0  # of the letters, where nothing else is said
LINE = 1.25  # of the letters' height
BASE = 0.35  # of the letters' height: from their middle to the line they stand on
ANCHORS = {"left": "start", "center": "middle", "right": "end"}
_NARROW, _WIDE = set("iljtfrI.,:;'|!()[] "), set("mwMW@%—…")
_TAG = re.compile(r"<(/?)(b|br|span)\b([^>]*)>")
_COLOUR = re.compile(r"color:\s*(#[0-9a-fA-F]{6})")


def width(text: str, size: float) -> float:
    """Of its longest line in pixels, about; for a sans-serif of this size."""
    return max(sum(_share(letter) for letter in line) * size for line in plain(text).split("\n"))


def _share(letter: str) -> float:
    if ord(letter) >= 0x1100:
        return 1.0
    return 0.3 if letter in _NARROW else 0.85 if letter in _WIDE else 0.62 if letter.isupper() else 0.53


def plain(text: str) -> str:
    return unescape(_TAG.sub(lambda found: "\n" if found[2] == "br" else "", text))


def lines(text: str) -> int:
    return text.count("<br>") + 1


def wrap(text: str, most: float, size: float) -> str:
    """Broken at spaces so that each line has `most` pixels or fewer, where it can be."""
    rows = [""]
    for word in text.split(" "):
        longer = f"{rows[-1]} {word}".strip()
        if rows[-1] and width(longer, size) > most:
            rows.append(word)
        else:
            rows[-1] = longer
    return "<br>".join(rows)


def write(
    text: str, x: float, y: float, size: float, colour: str, *, anchor: str = "center", turn: float = 0.0, top: str = ""
) -> Markup:
    """With its middle at y; `top` puts its upper ("top") or lower ("bottom") edge there."""
    rows = _rows(text)
    if not any(part for row in rows for part, _, _ in row):
        return Markup()
    height = size * LINE
    first = {"": y - height * (len(rows) - 1) / 2, "top": y + height / 2, "bottom": y - height * (len(rows) - 0.5)}[top]
    first += BASE * size
    pieces = [Markup().join(_span(part, bold, own) for part, bold, own in row) for row in rows]
    inside = pieces[0]
    for piece in pieces[1:]:
        inside += Markup('<tspan x="{}" dy="{}">{}</tspan>').format(short(x), short(height), piece)
    # What most words of a chart have stands once, at its root.
    look = Markup(' font-size="{}"').format(short(size)) if size != SIZE else Markup()
    look += Markup(' text-anchor="{}"').format(ANCHORS[anchor]) if anchor != "center" else Markup()
    look += Markup(' transform="rotate({} {} {})"').format(short(turn), short(x), short(y)) if turn else Markup()
    return Markup('<text x="{}" y="{}" fill="{}"{}>{}</text>').format(short(x), short(first), colour, look, inside)


def _span(text: str, bold: bool, colour: str) -> Markup:
    if not bold and not colour:
        return escape(text)
    weight = Markup(' font-weight="700"') if bold else ""
    fill = Markup(' fill="{}"').format(colour) if colour else ""
    return Markup("<tspan{}{}>{}</tspan>").format(weight, fill, text)


def _rows(text: str) -> list[list[tuple[str, bool, str]]]:
    """Its lines, each a list of pieces: text, whether it is bold, its own colour."""
    rows: list[list[tuple[str, bool, str]]] = [[]]
    bold, colour, at = False, "", 0

    def add(part: str) -> None:
        if part:
            rows[-1].append((clean(unescape(part)), bold, colour))

    for found in _TAG.finditer(text):
        add(text[at : found.start()])
        at = found.end()
        opens = not found[1]
        if found[2] == "br":
            rows.append([])
        elif found[2] == "b":
            bold = opens
        else:
            named = _COLOUR.search(found[3])
            colour = named[1] if opens and named else ""
    add(text[at:])
    return rows


def short(number: float) -> str:
    return f"{float(number):.1f}".removesuffix(".0")
