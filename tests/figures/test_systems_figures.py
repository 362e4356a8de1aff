"""Clouds, distributions and decay drawn: what a reader and a click get, and that no text of a stranger is markup."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from capeval_core.figures import spreads
from capeval_core.figures.palette import DARK, LIGHT
from capeval_core.figures.spreads import Mean, Ridge
from capeval_core.figures.systems import MOST_LABELLED, Axis, Dot, Group, colours, scatter

NAN = math.nan
SQUARE = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
X, Y = Axis("semantics: SPARCS", "better"), Axis("style: SPURTS", "better")


def group(name: str, shift: float = 0.0, reference: bool = False) -> Group:
    dots = tuple(
        Dot((shift + n / 10, n / 10), f"{name} {n}", (f"caption {n} of {name}", "SPARCS 0.5")) for n in range(4)
    )
    outline = tuple((x + shift, y) for x, y in SQUARE)
    return Group(name, dots, outline, (shift, 0.0), f"a dog of {name} runs on the beach", "overlap 0.5", reference)


def traces(drawn: Any, mode: str = "markers") -> list[dict[str, Any]]:
    return [trace for trace in json.loads(drawn.to_json())["data"] if trace.get("mode") == mode]


def clickable(drawn: Any) -> dict[str, dict[str, Any]]:
    return {trace["name"]: trace for trace in traces(drawn) if "customdata" in trace}


def test_every_dot_can_be_hovered_and_clicked() -> None:
    drawn = scatter(LIGHT, [group("human", reference=True), group("m2", 3.0)], X, Y)
    dots = clickable(drawn)
    assert set(dots) == {"human", "m2"}
    assert [one[0] for one in dots["m2"]["customdata"]] == ["m2 0", "m2 1", "m2 2", "m2 3"]
    assert dots["m2"]["hovertext"][2] == "<b>m2</b><br>caption 2 of m2<br>SPARCS 0.5"
    assert len(traces(drawn)) == 4  # two clouds, two centroids


def test_the_reference_is_grey_and_dashed_and_the_others_differ_in_shape_too() -> None:
    names = ["a", "human", "b"]
    drawn = scatter(LIGHT, [group(name, reference=name == "human") for name in names], X, Y)
    dots = clickable(drawn)
    assert {name: dots[name]["marker"]["color"] for name in names} == colours(names, "human", LIGHT)
    assert dots["human"]["marker"]["color"] == LIGHT.neutral
    assert len({dots[name]["marker"]["symbol"] for name in names}) == 3
    shapes = {trace["name"]: trace for trace in traces(drawn, "lines") if trace.get("fill") == "toself"}
    assert {name: shapes[name]["line"]["dash"] for name in names} == {"a": "solid", "b": "solid", "human": "dash"}
    assert shapes["a"]["x"][0] == shapes["a"]["x"][-1]  # closed


def test_captions_stand_right_of_the_clouds_in_the_order_of_the_centroids() -> None:
    low = Group("low", (), SQUARE, (0.0, -0.5), "below")
    high = Group("high", (), SQUARE, (0.0, 0.5), "above")
    drawn = scatter(DARK, [low, high], X, Y)
    first, second = sorted(drawn.layout.annotations, key=lambda one: -one.y)
    assert "high" in first.text
    assert "above" in first.text
    assert "below" in second.text
    assert min(first.x, second.x) > 1.0
    assert max(drawn.layout.xaxis.tickvals) <= 1.05  # no ticks under the captions
    assert drawn.layout.xaxis.title.text == "semantics: SPARCS  →  better"


def test_many_captioners_keep_their_names_and_lose_their_captions() -> None:
    groups = [group(f"system {n}", n / 10) for n in range(MOST_LABELLED + 1)]
    texts = [one.text for one in scatter(LIGHT, groups, X, Y).layout.annotations]
    assert len(texts) == MOST_LABELLED + 1
    assert not any("beach" in text for text in texts)
    assert all("beach" in one.text for one in scatter(LIGHT, groups[:MOST_LABELLED], X, Y).layout.annotations)


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "</b><a href='https://x'>a</a>"])
def test_names_and_captions_are_text(name: str) -> None:
    evil = Group(name, (Dot((0.0, 0.0), "0", (name,)),), SQUARE, (0.0, 0.0), name, name, True)
    for drawn in (
        scatter(LIGHT, [evil], Axis(name), Y),
        spreads.ridges(LIGHT, [Ridge(name, np.array([0.1, 0.2]))]),
        spreads.decay(LIGHT, [Mean(0, 1, 1, 1)], name),
    ):
        content = drawn.to_json()
        assert "<img" not in content
        assert "\\u003cimg" not in content
        assert "<a href" not in content
        assert "\\u003ca href" not in content


@pytest.mark.parametrize("groups", [[], [Group("one", (Dot((0.5, 0.5), "0", ()),), (), None, "")]])
def test_next_to_nothing_is_drawn_too(groups: list[Group]) -> None:
    drawn = scatter(LIGHT, groups, X, Y)
    assert drawn.layout.xaxis.range[0] < drawn.layout.xaxis.range[1]


def test_a_density_is_one() -> None:
    values = np.random.default_rng(1).normal(0.5, 0.1, 2_000)
    curve = spreads.density(values, -0.5, 1.5)
    assert np.trapezoid(curve, np.linspace(-0.5, 1.5, len(curve))) == pytest.approx(1, rel=0.01)
    assert np.linspace(-0.5, 1.5, len(curve))[curve.argmax()] == pytest.approx(0.5, abs=0.05)


def test_ridges_say_the_quartiles() -> None:
    values = np.array([0.0, 1.0, 2.0, 3.0, 4.0, NAN])
    drawn = spreads.ridges(LIGHT, [Ridge("human", values, True), Ridge("m2", values + 1)])
    first, _ = traces(drawn)
    assert first["hovertext"] == ["<b>human</b><br>half of its captions: 1 to 3<br>median 2, mean 2<br>5 captions"]
    assert list(drawn.layout.yaxis.ticktext) == ["human  ", "m2  "]
    assert drawn.layout.yaxis.tickvals == (1, 0)  # the first on top


@pytest.mark.parametrize("values", [[], [NAN], [0.3], [0.2, 0.2]])
def test_ridges_of_next_to_nothing(values: list[float]) -> None:
    drawn = spreads.ridges(DARK, [Ridge("a", np.array(values, dtype=np.float64))])
    assert "NaN" not in drawn.to_json()
    assert len(traces(drawn)) == any(map(math.isfinite, values))


def test_decay_shows_each_mean_with_its_interval() -> None:
    steps = [Mean(0, 0.5, 0.45, 0.55), Mean(0.5, 0.4, 0.35, 0.45), Mean(1, NAN, NAN, NAN)]
    drawn = spreads.decay(LIGHT, steps, "mean MIMA")
    (line,) = traces(drawn, "lines+markers+text")
    assert line["text"] == ["0.500", "0.400"]
    assert line["hovertext"][1] == "50% of the words replaced: 0.4000 (0.3500 to 0.4500)"
    (band,) = traces(drawn, "lines")
    assert band["y"] == [0.55, 0.45, 0.35, 0.45]
    assert drawn.layout.yaxis.range[0] < 0.35
