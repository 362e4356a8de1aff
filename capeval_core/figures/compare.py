"""Two candidates side by side: which words they share, and how far apart their scores are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from capeval_core import registry
from capeval_core.figures.differences import plain, shared
from capeval_core.figures.evidence import Caption, Word
from capeval_core.figures.numbers import change, score, tie
from capeval_core.figures.palette import Palette
from capeval_core.figures.scales import Band, Scale
from capeval_core.figures.tables import Bar, Cell, Column, Grid, Row
from capeval_core.figures.words import plural
from capeval_core.metrics.meteor import MeteorExplanation

Near = Mapping[str, str]  # a word -> how METEOR matched it, where no reference has the word itself


def word_diff(
    left: str, right: str, references: Sequence[str], near: tuple[Near, Near] = ({}, {})
) -> tuple[Caption, Caption]:
    """Both captions, their words marked by what they match in the references; deeper where only one says it."""
    said = [set(map(plain, text.split())) for text in references]
    sides = zip("AB", (left, right), shared(left, right), near, strict=True)
    first, second = (
        Caption(
            letter,
            tuple(_word(text, both, said, known) for text, both in zip(caption.split(), flags, strict=True)),
        )
        for letter, caption, flags, known in sides
    )
    return first, second


def _word(text: str, both: bool, said: Sequence[set[str]], near: Near) -> Word:
    word = plain(text)
    count = sum(word in one for one in said)
    kind = "matched" if count else "near" if word in near else "extra"
    where = f"in {count} of {plural(len(said), 'reference')}" if count else near.get(word, "in no reference")
    return Word(text, kind, 0.15 if both else 0.9, f"{where}; {'both say it' if both else 'the other does not say it'}")


def near_words(explanation: MeteorExplanation) -> dict[str, str]:
    """The candidate's words that METEOR matched in some reference by stem or synonym, and how.

    Not by paraphrase: its table holds pairs like "a cat" and "the dog".
    """
    found: dict[str, str] = {}
    for reference in explanation.references:
        for link in reference.links:
            ours = explanation.tokens[link.candidate_start : link.candidate_start + link.candidate_length]
            theirs = reference.tokens[link.reference_start : link.reference_start + link.reference_length]
            if link.module in ("stem", "synonym"):
                found |= {word: f"{link.module} of “{' '.join(theirs)}”" for word in ours if word not in found}
    return found


def only(left: str, right: str, references: Sequence[str], passed_over: Collection[str]) -> tuple[list[str], list[str]]:
    """The words that a reference has and only the left, or only the right caption says; the commonest first."""
    counts = Counter(word for text in references for word in set(map(plain, text.split())).difference(passed_over))
    one, two = (dict.fromkeys(map(plain, text.split())) for text in (left, right))
    first, second = (
        sorted((word for word in mine if counts[word] and word not in other), key=lambda word: -counts[word])
        for mine, other in ((one, two), (two, one))
    )
    return first, second


def differences(
    left: Mapping[str, float],
    right: Mapping[str, float],
    palette: Palette,
    bands: Mapping[str, Band],
    reasons: Mapping[str, str],
) -> Grid:
    """One row per metric: both values, a bar towards the better one, as long as the gap is beside what the best here or
    the best person reaches, and why. What reads the same is level and has no bar."""
    columns = (
        Column(Cell("metric"), "left", names=True),
        Column(Cell("A")),
        Column(Cell("A better · B better"), "center", wide=True),
        Column(Cell("B")),
        Column(Cell("B - A")),
    )
    keys = [key for key in registry.keys() if key in left and key in right]
    rows = [_row(key, left[key], right[key], palette, bands.get(key), reasons.get(key, "")) for key in keys]
    return Grid(columns, tuple(rows), full=True)


def _row(key: str, left: float, right: float, palette: Palette, band: Band | None, reason: str) -> Row:
    spec = registry.get(key)
    gain = 0.0 if tie(left, right) else (right - left) if spec.direction == "higher" else (left - right)
    half = 0.5 * min(abs(gain / Scale(key, [left, right], band).width), 1.0)
    start, end, colour = (0.5, 0.5 + half, 0) if gain > 0 else (0.5 - half, 0.5, 1)
    return Row(
        (
            Cell(spec.label),
            Cell(score(left), bold=gain < 0),
            Cell(under=reason, bar=Bar(start, end, palette.systems[colour], (0.5,))),
            Cell(score(right), bold=gain > 0),
            Cell(change(right - left) if gain else "level"),
        )
    )
