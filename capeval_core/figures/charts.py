"""What the charts share: one quiet look, and bars with their words at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from capeval_core.figures.palette import Palette
from capeval_core.figures.words import label

HEIGHT = 340
FONT = "'Source Sans', 'Source Sans 3', system-ui, sans-serif"


def figure(palette: Palette, height: int = HEIGHT) -> go.Figure:
    """An empty chart: no frame, no grid, no legend, the page's background."""
    return go.Figure(
        layout={
            "height": height,
            "margin": {"l": 10, "r": 10, "t": 10, "b": 10},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": palette.text, "size": 13, "family": FONT},
            "hoverlabel": {
                "bgcolor": palette.background,
                "bordercolor": palette.faint,
                "font": {"color": palette.text},
            },
            "showlegend": False,
            "dragmode": False,
            "hovermode": "closest",
            "xaxis": _axis(),
            "yaxis": _axis(),
        }
    )


def _axis() -> dict[str, object]:
    return {"showgrid": False, "zeroline": False, "showline": False, "ticks": "", "fixedrange": True}


class Sketch:
    """A chart to draw on, with plotly's names. It becomes a figure at the end: plotly checks each addition anew."""

    def __init__(self, drawn: go.Figure) -> None:
        self._layout: dict[str, Any] = drawn.layout.to_plotly_json()
        self._data: list[dict[str, object]] = []
        self._shapes: list[dict[str, object]] = []
        self._annotations: list[dict[str, object]] = []

    def add_trace(self, kind: str, **trace: object) -> None:
        self._data.append({"type": kind, **trace})

    def add_shape(self, **shape: object) -> None:
        self._shapes.append(shape)

    def add_annotation(self, **annotation: object) -> None:
        self._annotations.append({"showarrow": False, **annotation})

    def finish(self) -> go.Figure:
        drawn = self._layout | {"shapes": self._shapes, "annotations": self._annotations}
        return go.Figure({"data": self._data, "layout": drawn})


def canvas(palette: Palette, x: tuple[float, float], y: tuple[float, float], height: int = HEIGHT) -> Sketch:
    """To draw on: axes unseen, ranges fixed."""
    drawn = figure(palette, height)
    drawn.update_xaxes(visible=False, range=list(x))
    drawn.update_yaxes(visible=False, range=list(y))
    return Sketch(drawn)


def written_on(colour: str, share: float, palette: Palette) -> str:
    """The palette's text or background colour, whichever is easier to read on this share of a colour."""

    def light(parts: Sequence[float]) -> float:  # relative luminance, as in WCAG 2
        linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05

    def parts(one: str) -> list[float]:
        return [int(one[place : place + 2], 16) / 255 for place in (1, 3, 5)]

    mixed = [share * a + (1 - share) * b for a, b in zip(parts(colour), parts(palette.background), strict=True)]

    def contrast(one: str) -> float:
        pair = light(parts(one)), light(mixed)
        return max(pair) / min(pair)

    return max((palette.text, palette.background), key=contrast)


def tint(colour: str, opacity: float) -> str:
    """#rrggbb -> rgba(...)"""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:.2f})"


def write(drawn: Sketch, x: float, y: float, text: str, colour: str, **more: object) -> None:
    """One line of text; `text` is escaped by the caller. Options: size, anchor, background."""
    drawn.add_annotation(
        x=x,
        y=y,
        text=text,
        font={"color": colour, "size": more.get("size", 13)},
        xanchor=more.get("anchor", "center"),
        bgcolor=more.get("background"),
        borderpad=1,
    )


@dataclass(frozen=True, slots=True)
class Bar:
    name: str  # escaped here
    value: float
    kind: str
    text: str  # stands at its end
    hint: str = ""


def bars(palette: Palette, rows: Sequence[Bar], most: float, height: int = HEIGHT, least: float = 0.0) -> go.Figure:
    """Horizontal bars, the first on top, each with its words at its end; the scale goes from `least` to `most`."""
    drawn = figure(palette, height)
    places = list(range(len(rows)))
    drawn.add_bar(
        orientation="h",
        y=places,
        x=[row.value for row in rows],
        marker={
            "color": [tint(palette.of(row.kind), 0.55) for row in rows],
            "line": {"color": [palette.of(row.kind) for row in rows], "width": 1},
            "pattern": {
                "shape": ["/" if row.kind == "missed" else "" for row in rows],
                "fillmode": "replace",
                "size": 5,
            },
        },
        text=[f" {label(row.text, 80)}" for row in rows],
        textposition="outside",
        cliponaxis=False,
        hovertext=[label(row.hint or f"{row.name}: {row.text}", 200) for row in rows],
        hoverinfo="text",
    )
    drawn.update_yaxes(
        tickmode="array",
        tickvals=places,
        ticktext=[f"{label(row.name, 34)}  " for row in rows],
        range=[max(len(rows), 4) - 0.5, -0.5],
        automargin=True,
    )
    drawn.update_xaxes(visible=False, range=[least - 0.3 * (most - least) * (least < 0), most + 0.3 * (most - least)])
    drawn.update_layout(bargap=0.4)
    return drawn
