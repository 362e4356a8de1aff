"""The flat row of a captioner: one shape for the command line and the app."""

from __future__ import annotations

import numpy as np

from capeval_core import CaptionItem
from capeval_core.analysis import systems
from capeval_core.analysis.rows import ellipse_fields, system_rows

ITEMS = [CaptionItem(str(n % 4), f"{name} {n}", (), name) for name in ("human", "m2") for n in range(4)]
CHANCE = np.random.default_rng(0)
SCORES = {key: CHANCE.normal(size=len(ITEMS)) for key in ("sparcs", "spurts", "mima")}


def test_a_row_holds_values_cloud_grammar_and_significance() -> None:
    found = systems.analyse(ITEMS, SCORES, "human", samples=9)
    values = {one.system: one.means for one in found.systems}
    rows = system_rows(ITEMS, values, {"m2": {"sparcs": 0.25}}, found)
    assert [row["system"] for row in rows] == ["human", "m2"]
    for row, report in zip(rows, found.systems, strict=True):
        assert report.cloud is not None
        assert report.cloud.centroid is not None
        assert row["captions"] == 4
        assert row["sparcs"] == report.means["sparcs"]
        assert (row["overlap"], row["shown"]) == (report.cloud.overlap, 4)
        assert (row["grammar_penalty"], row["grammar_outliers"]) == (report.penalty, report.outliers)
        assert row["centroid"] == ITEMS[report.cloud.centroid].candidate
        assert ellipse_fields(report) == {
            name: getattr(report.cloud.ellipse, name) for name in ("centre", "axes", "angle")
        }
    assert list(rows[0]) == list(rows[1])
    assert (rows[0]["p_sparcs"], rows[1]["p_sparcs"], rows[1]["p_mima"]) == (None, 0.25, None)


def test_without_an_analysis_there_are_values_only() -> None:
    rows = system_rows(ITEMS, {"human": {"cider": 1.0}, "m2": {"cider": 2.0}}, {}, None)
    assert rows[1] == {"system": "m2", "captions": 4, "cider": 2.0, "p_cider": None}


def test_axes_and_grammar_are_left_out_where_there_are_none() -> None:
    found = systems.analyse(ITEMS, {"cider": SCORES["sparcs"]}, "human", axes=None)
    assert list(system_rows(ITEMS, {}, {}, found)[0]) == ["system", "captions"]
    assert ellipse_fields(found.systems[0]) is None
