"""A study over a data set as the page shows it: tables, bars, exports."""

from __future__ import annotations

import csv
import io
import json
import time
from typing import Any

import pytest

from capeval_core import registry
from capeval_core.figures import perturb as figures
from capeval_core.figures.palette import LIGHT
from capeval_core.perturb import KINDS
from capeval_core.perturb.study import study
from pages.perturb import data as perturb_data
from pages.perturb import results as perturb_results
from pages.perturb.lab import kinds_of
from pages.work import samples


@pytest.fixture(scope="module")
def profile() -> Any:
    return study(samples.as_items()[:16], ["order", "distractors"], ["bleu_1", "rouge_l"], samples=200)


def test_the_tables_have_the_papers_shapes(profile: Any) -> None:
    third = perturb_results.table_3(profile, LIGHT)
    head = third[: third.index("</thead>")]
    assert head.count("<th ") == 1 + len(perturb_results.tasks(profile)) + 2
    assert third.count('scope="row"') == 3  # two metrics, and the instances
    assert "instances" in third
    fifth = perturb_results.table_5(profile, LIGHT)
    assert fifth.index("Replace scene") < fifth.index("Replace person") < fifth.index("Overall")
    assert fifth[: fifth.index("</thead>")].count("<th ") == 3
    assert "bold" in third[third.index("<tbody") :]


def test_exports_carry_every_cell_with_its_signature(profile: Any) -> None:
    rows = list(csv.DictReader(io.StringIO(perturb_results.to_csv(profile))))
    assert len(rows) == len(profile.cells)
    assert all(row["signature"].startswith(row["metric"]) for row in rows)
    assert float(rows[0]["change"]) == profile.cells[0].change
    content = json.loads(perturb_results.to_json(profile, {"data": "x"}))
    assert set(content["signatures"]) == {"bleu_1", "rouge_l"}
    assert len(content["variants"]) == len(profile.variants)
    assert "NaN" not in json.dumps(content)


def test_the_sentence_names_kind_and_metric(profile: Any) -> None:
    assert perturb_results.sentence(profile).startswith("Reversed lowers the scores most: ROUGE-L goes -")


def test_bars_stand_a_panel_a_kind_a_bar_a_metric(profile: Any) -> None:
    moves = perturb_results.moves(profile)
    drawn = figures.sensitivity(moves, LIGHT)
    kinds = {move.kind for move in moves}
    assert kinds == {KINDS[kind].label for kind in kinds_of(["order"])}
    bars = [trace for trace in drawn.data if trace.type == "bar"]
    assert len(bars) == len(kinds)
    assert all(len(bar.x) == 2 and bar.error_x.visible for bar in bars if any(bar.x))


def test_bars_escape_names_and_end_at_the_edge() -> None:
    moves = [figures.Move("<b>own</b>", "bleu_1", 20_000.0), figures.Move("x", "bleu_1", -0.001)]
    drawn = figures.sensitivity(moves, LIGHT)
    texts = [note.text for note in drawn.layout.annotations]
    assert "<b>&lt;b&gt;own&lt;/b&gt;</b>" in texts
    assert [trace.text for trace in drawn.data if trace.type == "scatter"] == [(" > +999% ",), (" 0% ",)]
    assert drawn.data[0].x == (1.0,)


def test_all_kinds_and_metrics_are_drawn_within_a_second() -> None:
    moves = [figures.Move(str(kind), key, -0.2, -0.3, -0.1) for kind in range(16) for key in registry.keys()]
    before = time.process_time()
    figures.sensitivity(moves, LIGHT)
    assert time.process_time() - before < 1


def test_large_files_start_with_metrics_that_need_no_model() -> None:
    assert perturb_data.first_metrics(80) == list(registry.keys())
    assert "bleu_4" in perturb_data.first_metrics(5_000)
    assert not {"meteor", "spice", "bertscore"} & set(perturb_data.first_metrics(5_000))
