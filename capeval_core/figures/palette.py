"""Colours with one meaning everywhere: tables, figures, report. After Okabe and Ito: the colour-blind tell them apart.

Colour never stands alone: marked words are underlined in their own way too (`UNDERLINES`).
"""

from __future__ import annotations

from dataclasses import dataclass

KINDS = ("matched", "near", "missed", "extra", "neutral")
MEANINGS = {
    "matched": "the same in candidate and reference",
    "near": "stem, synonym, paraphrase or close vector",
    "missed": "in the references only",
    "extra": "in the candidate only",
    "neutral": "not counted",
}
# A captioner or candidate has one as well as its colour.
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "x", "star", "pentagon", "hexagon")
UNDERLINES = {"matched": "solid", "near": "double", "missed": "dashed", "extra": "wavy", "neutral": "none"}


@dataclass(frozen=True, slots=True)
class Palette:
    dark: bool
    background: str
    text: str
    faint: str  # rules, axes, secondary text: 4.5 to 1 against the background, also where it is a little shaded
    accent: str
    matched: str
    near: str
    missed: str
    extra: str
    neutral: str
    groups: tuple[str, ...]  # one hue per metric group, in the order of registry.GROUPS: headers and pills only
    systems: tuple[str, ...]  # captioners in scatter plots
    sequential: tuple[tuple[float, str], ...]  # heat maps from nothing to most
    diverging: tuple[tuple[float, str], ...]  # loss, no change, gain

    def of(self, kind: str) -> str:
        if kind not in KINDS:
            raise ValueError(f"no such kind of word: {kind}")
        colour: str = getattr(self, kind)
        return colour


LIGHT = Palette(
    dark=False,
    background="#ffffff",
    text="#1f2430",
    faint="#656c7b",
    accent="#3b5bdb",
    matched="#007a5e",
    near="#0072b2",
    missed="#935700",
    extra="#c0392b",
    neutral="#737a89",
    groups=("#3b5bdb", "#7048a8", "#0b7285", "#a1560b", "#5c7a12"),
    systems=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b4fbb", "#7a7a2e"),
    sequential=((0.0, "#f6f8fc"), (0.5, "#8fb3e8"), (1.0, "#1f4aa8")),
    diverging=((0.0, "#b5432f"), (0.5, "#f7f7f7"), (1.0, "#00735a")),
)
DARK = Palette(
    dark=True,
    background="#12151c",
    text="#e8eaf0",
    faint="#98a0b2",
    accent="#8aa4ff",
    matched="#3ecfa5",
    near="#5ab4f0",
    missed="#f0b04c",
    extra="#ff8474",
    neutral="#8b93a5",
    groups=("#8aa4ff", "#c3a2f2", "#5cc9d9", "#f0b04c", "#b4d455"),
    systems=("#5ab4f0", "#ff9a56", "#3ecfa5", "#e6a3c8", "#f2c14e", "#9bd7ff", "#b39df5", "#c9c970"),
    sequential=((0.0, "#1a1f2b"), (0.5, "#3b62a8"), (1.0, "#9dc4ff")),
    diverging=((0.0, "#e0745f"), (0.5, "#242935"), (1.0, "#35c79c")),
)
