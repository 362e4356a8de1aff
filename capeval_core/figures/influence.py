"""What each word of a caption does to a score, by leaving it out: as a clause, as marked words, as bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from capeval_core.figures.charts import Bar, bars
from capeval_core.figures.evidence import Caption, Chart, Word
from capeval_core.figures.numbers import change
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import caption, noted, quoted

MOST_BARS = 14
LEAST = 5e-4  # what a word does that is worth a mention: less reads as 0.000
TITLE = "What each word adds: the score minus the score without it"


def clause(words: Sequence[str], shares: Sequence[float]) -> str:
    """Which word helps most, which one lowers the score most; nothing of a single word."""
    order = sorted(range(len(words)), key=lambda place: (-shares[place], place))
    said = ""
    if len(order) > 1 and shares[order[0]] >= LEAST:
        said += f"; {quoted(words[order[0]])} helps most"
    if len(order) > 1 and shares[order[-1]] <= -LEAST:
        said += f"; {quoted(words[order[-1]])} lowers it most"
    return said


def kind(word: str, share: float, references: Sequence[Sequence[str]]) -> str:
    """How a word is marked: a reference has it, it helps all the same, or neither."""
    if any(word in reference for reference in references):
        return "matched"
    return "near" if share > 0 else "extra"


def marked(
    label: str, words: Sequence[str], shares: Sequence[float], kinds: Sequence[str], more: Callable[[int], str]
) -> Caption:
    """The words, shaded by what they add; `more` goes on with a word's hint."""
    most = max(map(abs, shares), default=0.0) or 1.0

    def mark(place: int) -> Word:
        hint = f"adds {change(shares[place])}{more(place)}"
        return Word(words[place], kinds[place], abs(shares[place]) / most, hint)

    return caption(label, words, mark)


def chart(palette: Palette, words: Sequence[str], shares: Sequence[float], kinds: Sequence[str]) -> Chart:
    rows = [
        Bar(word, share, kind, change(share), f"{word} adds {change(share)}")
        for word, share, kind in list(zip(words, shares, kinds, strict=True))[:MOST_BARS]
    ]
    values = [row.value for row in rows]
    drawn = bars(palette, rows, max(*values, 0.001), 340, min(*values, 0.0))
    return Chart(noted(TITLE, len(words), MOST_BARS), drawn)
