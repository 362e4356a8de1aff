"""Every explanation of the registry has a drawing; it survives odd captions, stays small and lets no HTML through."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from capeval_core import CaptionItem, explain, registry
from capeval_core.figures import DRAWN_BY, draw
from capeval_core.figures.evidence import Caption, Chart, Evidence, Table
from capeval_core.figures.html import caption_html, legend_html, line_html, table_html
from capeval_core.figures.markup import style
from capeval_core.figures.palette import DARK, KINDS, LIGHT
from capeval_core.types import Explanation
from tests.figures.hostile import ALL, MARKDOWN, check_figure, check_html
from tests.test_laws import ODD

KEYS = registry.keys()
HOSTILE = CaptionItem(
    "1",
    f'a <script>alert(1)</script> dog & {ALL} "quoted" <b>runs</b>',
    (f"the <script>alert(1)</script> dog {MARKDOWN}", "a dog <i>runs</i> & barks"),
)
MOST_CHART = 400_000  # bytes of JSON


@cache
def explained(key: str, item: CaptionItem) -> Explanation:
    return explain(item, key)


def parts(evidence: Evidence) -> list[Any]:
    return [*evidence.parts, *evidence.details]


def as_json(chart: Chart) -> str:
    text: str = chart.figure.to_json()
    return text


@pytest.mark.parametrize("key", KEYS)
def test_every_explanation_has_a_drawing(key: str) -> None:
    assert registry.get(key).explanation in DRAWN_BY


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("key", [key for key in KEYS if key not in ("bleu_1", "bleu_2", "bleu_3")])
def test_odd_captions_are_drawn(key: str, name: str) -> None:
    evidence = draw(explained(key, ODD[name]), LIGHT)
    assert evidence.sentence.endswith(".")
    assert len(evidence.sentence) < 700
    evidence.sentence.encode("utf-8")  # no half characters
    assert "\u202e" not in evidence.sentence
    for part in parts(evidence):
        if isinstance(part, Chart):
            figure = as_json(part)
            assert len(figure) < MOST_CHART, part.title
            assert "NaN" not in figure
            assert 320 <= part.figure.layout.height <= 360
            json.loads(figure)
        elif isinstance(part, Caption):
            assert len(part.words) <= 80
            caption_html(part, LIGHT).encode("utf-8")
        else:
            assert len({len(column) for column in part.columns.values()}) == 1
            table_html(part, LIGHT).encode("utf-8")


@pytest.mark.parametrize("key", KEYS)
def test_markup_in_captions_is_text(key: str) -> None:
    evidence = draw(explained(key, HOSTILE), DARK)
    for part in parts(evidence):
        if isinstance(part, Chart):
            check_figure(part.figure)
        else:
            check_html(caption_html(part, DARK) if isinstance(part, Caption) else table_html(part, DARK))
    check_html(line_html(evidence.sentence, DARK, bold=HOSTILE.candidate))


@pytest.mark.parametrize("key", KEYS)
def test_light_and_dark_differ_in_colour_alone(key: str) -> None:
    light, dark = (draw(explained(key, HOSTILE), palette) for palette in (LIGHT, DARK))
    assert light.sentence == dark.sentence
    assert [type(part) for part in parts(light)] == [type(part) for part in parts(dark)]
    for one, other in zip(parts(light), parts(dark), strict=True):
        if isinstance(one, Chart):
            assert one.clicks == other.clicks
            assert LIGHT.text in as_json(one)
            assert LIGHT.text not in as_json(other)
        else:
            assert one == other


@pytest.mark.parametrize("key", ["wmd", "bertscore"])
def test_a_click_finds_its_words(key: str) -> None:
    charts = [part for part in draw(explained(key, HOSTILE), LIGHT).parts if isinstance(part, Chart) and part.clicks]
    assert charts
    for chart in charts:
        targets = [
            point[0] for trace in chart.figure.data if trace.customdata is not None for point in trace.customdata
        ]
        assert targets == list(chart.clicks)


def test_wmd_click_says_weight_and_way() -> None:
    item = CaptionItem("1", "a man runs", ("a guy runs",))
    chart = next(part for part in draw(explain(item, "wmd"), LIGHT).parts if isinstance(part, Chart) and part.clicks)
    assert chart.clicks["0,0"] == "man -> guy: 0.500 of the weight moves a distance of 3.6, cost 1.82"
    assert chart.clicks["0,1"].startswith("man -> runs: no weight moves; their distance is ")


def test_scene_graph_is_the_same_every_time() -> None:
    item = CaptionItem("1", "a man in a red hat rides a horse", ("a man rides a horse", "a red hat"))
    first, second = (
        [as_json(part) for part in draw(explain(item, "spice"), LIGHT).parts if isinstance(part, Chart)]
        for _ in range(2)
    )
    assert first == second


def test_only_the_most_mentioned_objects_are_drawn() -> None:
    words = "cat dog bird horse cow sheep bus car truck boat train plane cup fork knife spoon"
    references = tuple(f"a {one} near a {other}" for one, other in pairwise(words.split()))
    evidence = draw(explain(CaptionItem("1", "a spoon", references), "spice"), LIGHT)
    titles = [part.title for part in evidence.parts if isinstance(part, Chart)]
    assert any(title.startswith("All references together (the 12 most mentioned of ") for title in titles)


def test_html_marks_are_more_than_colour() -> None:
    legend = legend_html(LIGHT)
    marked = [kind for kind in KINDS if kind != "neutral"]
    assert all(f'<bdi class="{kind}"' in legend for kind in marked)
    lines = [re.search(rf"bdi\.{kind} {{.*underline (\w+)", style()) for kind in marked]
    assert [line and line.group(1) for line in lines] == ["solid", "double", "dashed", "wavy"]
    assert legend_html(LIGHT, ["neutral"]) == ""


def test_table_html_says_undefined_with_a_dash_and_cuts_long_tables() -> None:
    table = Table("<t>", {"a & b": [float("nan"), 0.5] * 150, "n": [1234] * 300})
    shown = table_html(table, LIGHT)
    assert "&lt;t&gt;" in shown
    assert "a &amp; b" in shown
    assert ">–</bdi></td>" in shown
    assert ">0.500</bdi></td>" in shown
    assert ">1,234</bdi></td>" in shown
    assert "100 more rows are not shown" in shown
