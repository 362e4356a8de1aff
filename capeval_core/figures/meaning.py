"""Style and meaning of one image's captions: SPARCS across, SPURTS up, in standard deviations of people's captions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from capeval_core.analysis.people import People
from capeval_core.figures.labelled import Point
from capeval_core.figures.numbers import percent
from capeval_core.figures.palette import Palette
from capeval_core.figures.systems import Axis, Dot, Group, scatter
from capeval_core.figures.words import listing, plural, short

MEANING, STYLE, GRAMMAR = "sparcs", "spurts", "mima"
CORNERS = (
    "distinct words, but not what people say",
    "what people say, in distinct words",
    "what people say, in plain words",
    "plain words, and not what people say",
)
# A share of people and how it is said; what is said is never more than what holds.
SHARES = ((0.99, "99 people in 100"), (0.9, "nine people in ten"), (0.75, "three people in four"))
PAPER = 1.15  # the size of the paper's ellipse
MOST_NAMED = 8  # candidates with a colour and their caption beside the chart


@dataclass(frozen=True, slots=True)
class Placed:
    """One caption, its scores in standard deviations of people's."""

    name: str  # as it is labelled
    caption: str
    key: str  # what a click gives back
    meaning: float
    style: float
    grammar: float  # NaN where MIMA could not score
    reference: bool = False

    @property
    def defined(self) -> bool:
        return math.isfinite(self.meaning) and math.isfinite(self.style)


def draw(
    placed: Sequence[Placed], people: People, size: float, own: Sequence[Point], palette: Palette, badge: str = ""
) -> go.Figure:
    """`own`: the outline of this image's references, where there are enough of them; `badge`: what is estimated."""
    around = tuple((x, y) for x, y in people.outline(size)[::4].tolist())
    groups = [Group("people", (), around, (0.0, 0.0), people.source, reference=True, crossed=False)]
    here = [one for one in placed if one.defined and one.reference]
    if here:
        dots = tuple(_dot(one, people) for one in here)
        middle = sum(one.meaning for one in here) / len(here), sum(one.style for one in here) / len(here)
        groups.append(Group("this image's people", dots, tuple(own), middle, "", plural(len(here), "reference")))
    candidates = [one for one in placed if one.defined and not one.reference]
    for one in candidates[:MOST_NAMED]:
        dot = _dot(one, people)
        note = "odd grammar" if dot.odd else ""
        groups.append(Group(one.name, (dot,), (), dot.at, one.caption, note, crossed=False, strong=True))
    if rest := candidates[MOST_NAMED:]:
        dots = tuple(_dot(one, people) for one in rest)
        groups.append(Group("more candidates", dots, (), None, "", strong=True))
    unit = "   (both in standard deviations of people)"
    x, y = Axis("meaning: SPARCS", f"what people say{unit}"), Axis(f"style: SPURTS{badge}", "more distinct")
    return scatter(palette, groups, x, y, corners=CORNERS)


def _dot(one: Placed, people: People) -> Dot:
    odd = _is_odd(one, people)
    hint = [one.caption, f"meaning {one.meaning:+.2f}, style {one.style:+.2f} standard deviations"]
    if odd:
        hint.append(f"odd grammar: MIMA {one.grammar:+.2f} standard deviations")
    return Dot((one.meaning, one.style), one.key, tuple(hint), one.name, odd)


def _is_odd(one: Placed, people: People) -> bool:
    return math.isfinite(one.grammar) and people.is_odd(one.grammar)


def sentence(one: Placed, people: People) -> str:
    """What one caption's place means, in words; "people" are those the figures were measured on."""
    name = short(one.name, 40)
    if not one.defined:
        return f"{name} has no place here: SPARCS or SPURTS could not score it."
    meaning, style = people.below(MEANING, one.meaning), people.below(STYLE, one.style)
    if many := _many(meaning):
        text = f"{name} says more of what people say than {many}"
    elif many := _many(1 - meaning):
        text = f"{name} says less of what people say than {many}"
    else:
        text = f"{name} says what people say"
    if many := _many(style):
        text += f", in more distinct words than {many}"
    elif many := _many(1 - style):
        text += f", more plainly than {many}"
    else:
        text += ", in words as plain or distinct as people's"
    if _is_odd(one, people):
        text += f"; its grammar is an outlier, {-one.grammar:.1f} standard deviations below people's (MIMA)"
    return f"{text}."


def _many(share: float) -> str:
    """This share of people, rounded down to one that is easily said; nothing for less than the least of them."""
    return next((words for least, words in SHARES if share >= least), "")


def note(placed: Sequence[Placed], people: People, size: float, own: bool) -> str:
    """What the ellipses are of."""
    which = "the 75 % ellipse" if size == PAPER else f"the ellipse of {size:.2f} standard deviations"
    found = [f"Dashed: {which} of {people.source}; {percent(people.inside(size))} of them lie inside it."]
    if size == PAPER:
        found.append(f"It is {PAPER} standard deviations wide each way, as in SMURF's paper: 75 % along one axis.")
    if own:
        found.append("The other ellipse is of this image's own references, each scored against the others.")
    elif any(one.reference for one in placed):
        found.append("From five references on, this image's own ellipse is drawn too.")
    odd = [short(one.name) for one in placed if one.defined and _is_odd(one, people)]
    if odd:
        found.append(f"Ringed, grammar far below people's: {listing(odd)}.")
    missing = [short(one.name) for one in placed if not one.defined]
    if missing:
        found.append(f"Not scored by both: {listing(missing)}.")
    return " ".join(found)
