"""Charts as SVG: everything a figure says is in it, nothing else is, and what it cannot draw it refuses."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import plotly.graph_objects as go
import pytest

from capeval_core import CaptionItem, explain, registry
from capeval_core.figures import draw, svg
from capeval_core.figures.charts import Bar, bars, figure
from capeval_core.figures.evidence import Chart
from capeval_core.figures.palette import DARK, LIGHT
from capeval_core.figures.svg import text as words
from capeval_core.figures.svg.chart import WIDTH
from tests.figures.hostile import ALL, HOSTILE

SVG = "{http://www.w3.org/2000/svg}"
ITEM = CaptionItem(
    "1",
    "a man in a red boat paddles over the quiet lake",
    ("a man paddles a canoe", "someone in a small red canoe on a lake", "a person rowing a boat on calm water"),
)
KEYS = [key for key in registry.keys() if key not in ("bleu_1", "bleu_2", "bleu_3")]


def drawn(chart: go.Figure) -> ElementTree.Element:
    """Read as XML: what is not well formed fails here."""
    text = str(svg.draw(chart, "a chart"))
    return ElementTree.fromstring(text.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1))


def said(node: ElementTree.Element) -> list[str]:
    return ["".join(one.itertext()) for one in node.iter(f"{SVG}text")]


def shown_texts(chart: go.Figure) -> set[str]:
    """What plotly would write."""
    found: list[object] = [one.text for one in chart.layout.annotations]
    for axis in (chart.layout.xaxis, chart.layout.yaxis):
        found += [axis.title.text] if axis.visible is not False else []
        found += list(axis.ticktext or ()) if axis.visible is not False else []
    for trace in chart.data:
        shows = trace.type != "scatter" or "text" in (trace.mode or "")
        cells = trace.text if shows and trace.text is not None else ()
        found += [one for row in cells for one in (row if trace.type == "heatmap" else [row])]
    return {"".join(words.plain(str(one)).split()) for one in found if one and str(one).strip()}


@pytest.mark.model
@pytest.mark.parametrize("key", KEYS)
def test_every_chart_of_the_evidence_says_what_plotly_says(key: str) -> None:
    evidence = draw(explain(ITEM, key), LIGHT)
    charts = [part for part in (*evidence.parts, *evidence.details) if isinstance(part, Chart)]
    assert charts
    for chart in charts:
        texts = {"".join(text.split()) for text in said(drawn(chart.figure))}
        assert shown_texts(chart.figure) <= texts, chart.title


def test_words_stay_inside_the_drawing() -> None:
    rows = [Bar("a word as long as it gets here" * 2, value, "matched", f"{value}, found") for value in (0.0, 0.4, 1.0)]
    for node in drawn(bars(LIGHT, rows, 1.0)).iter(f"{SVG}text"):
        size, anchor = float(node.attrib.get("font-size", words.SIZE)), node.attrib.get("text-anchor", "middle")
        wide = words.width("".join(node.itertext()), size)
        left = float(node.attrib["x"]) - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        assert left >= 0
        assert left + wide <= WIDTH


def test_bars_are_as_long_as_their_values() -> None:
    chart = drawn(bars(LIGHT, [Bar("a", 0.25, "matched", "x"), Bar("b", 0.5, "missed", "y")], 1.0))
    first, second = (float(re.findall(r"h([\d.]+)", node.attrib["d"])[0]) for node in chart.iter(f"{SVG}path"))
    assert second == pytest.approx(2 * first, abs=0.2)


def test_points_stand_where_the_axes_say() -> None:
    plot = figure(LIGHT, 300)
    plot.add_scatter(x=[0, 1], y=[0, 1], mode="markers", marker={"size": 10, "symbol": "square", "color": "#000000"})
    plot.update_xaxes(visible=False, range=[0, 1])
    plot.update_yaxes(visible=False, range=[0, 1])
    paths = [node.attrib["d"] for node in drawn(plot).iter(f"{SVG}path")]
    middles = []
    for path in paths:
        numbers = [float(one) for one in re.findall(r"-?[\d.]+", path)]
        middles.append((sum(numbers[::2]) / 4, sum(numbers[1::2]) / 4))
    assert middles == [pytest.approx((10, 290), abs=0.1), pytest.approx((WIDTH - 10, 10), abs=0.1)]


@pytest.mark.parametrize("text", [*HOSTILE, ALL])
def test_no_text_becomes_markup(text: str) -> None:
    chart = bars(DARK, [Bar(text, 0.5, "extra", text, text)], 1.0)
    found = svg.draw(chart, text)
    root = drawn(chart)
    assert {node.tag.removeprefix(SVG) for node in root.iter()} <= {
        "svg",
        "rect",
        "g",
        "title",
        "text",
        "tspan",
        "path",
    }
    assert not any(name.startswith("on") for node in root.iter() for name in node.attrib)
    assert not any(mark in found for mark in "\u202e\u2067\u2066")


def test_what_has_no_drawing_is_refused() -> None:
    with pytest.raises(ValueError, match="no drawing of pie"):
        svg.draw(go.Figure(go.Pie(values=[1]), layout={"height": 300}), "x")
    odd = figure(LIGHT)
    odd.add_scatter(x=[0], y=[0], mode="markers", marker={"symbol": "bowtie"})
    with pytest.raises(ValueError, match="no drawing of a bowtie"):
        svg.draw(odd, "x")
