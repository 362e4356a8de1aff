"""A data set that is written and read again is the same, whatever it holds."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from capeval_core import CaptionItem, InvalidInput
from capeval_core.io import columns, readers, sources
from capeval_core.io.columns import Json, decode, encode, guard, unguard
from capeval_core.io.dataset import DataSet
from capeval_core.io.limits import APP
from capeval_core.io.writers import csv_text, plain, write_dataset

KEYS = ("bleu_1", "cider")
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
RISKS = st.sampled_from(
    ["=1+1", "+a", "-5", "@x", "\ta", "\r", "\n=", "'=x", "''-", "'", '"', "7", "null", "[1]", "1.50"]
)
WORDS = TEXT | RISKS
PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS
VALUES = PLAIN | st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3)
)
RESERVED = {"image_id", "system", "candidate", "caption", "references", "rating", "ratings", *KEYS}
NAMES = WORDS.filter(lambda name: name not in RESERVED and not name.startswith("reference_"))
SCORES = st.floats(-1e6, 1e6) | st.just(math.nan)


@st.composite
def datasets(draw: Any) -> DataSet:
    count = draw(st.integers(1, 4))
    item = st.builds(CaptionItem, WORDS, WORDS, st.lists(WORDS, max_size=3).map(tuple), WORDS.filter(bool))
    items = draw(st.lists(item, min_size=count, max_size=count))

    def column(values: Any) -> Any:
        return st.lists(values, min_size=count, max_size=count)

    scores = draw(st.dictionaries(st.sampled_from(KEYS), column(SCORES).map(np.array)))
    rating = st.lists(st.floats(0, 5) | st.just(math.nan), max_size=3).map(tuple)
    ratings = draw(st.none() | column(rating).map(tuple))
    extras = draw(
        st.dictionaries(NAMES, column(VALUES.map(lambda value: columns.kept(value, ""))).map(tuple), max_size=4)
    )
    return DataSet("made", tuple(items), scores, ratings, extras)


@pytest.mark.parametrize("kind", [".jsonl", ".csv"])
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=datasets())
def test_it_comes_back_as_it_was(kind: str, data: DataSet) -> None:
    target = io.StringIO(newline="")
    write_dataset(data, target, {}, kind)
    source = sources.of_bytes(f"again{kind}", target.getvalue().encode())
    again = readers.read_dataset([source], keys=KEYS, limits=APP, named=True)
    assert again.items == data.items
    assert again.ratings == data.ratings
    assert again.columns == data.columns
    assert set(again.scores) == set(data.scores)
    for key, values in data.scores.items():
        np.testing.assert_array_equal(again.scores[key], values)
    assert again.digest == data.digest


@settings(max_examples=100, deadline=None)
@given(values=st.lists(VALUES.map(lambda value: columns.kept(value, "")), max_size=5))
def test_a_column_of_cells_comes_back(values: list[columns.Value]) -> None:
    found = decode(map(unguard, encode(values)))
    assert found == values
    assert list(map(type, found)) == list(map(type, values))


def test_a_column_of_text_stays_text() -> None:
    assert decode(["02139", "10001"]) == ["02139", "10001"]
    assert decode(["1", "2.5", ""]) == [1, 2.5, None]
    assert decode(["1.50", "1"]) == ["1.50", "1"]
    assert decode(['["a"]', ""]) == [Json('["a"]'), None]
    assert encode(["7", None]) == ['"7"', ""]
    assert encode(["7", "x"]) == ["7", "x"]
    assert encode(["", "x"]) == ['""', '"x"']


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])
def test_a_spreadsheet_runs_no_cell(cell: str) -> None:
    assert guard(cell) == f"'{cell}"
    assert unguard(guard(cell)) == cell
    assert unguard(guard(guard(cell))) == guard(cell)
    (head, row) = csv.reader(io.StringIO(csv_text(["a", cell], [{"a": cell, cell: -1.5}]), newline=""))
    assert head == ["a", f"'{cell}"]
    assert row == [f"'{cell}", "-1.5"]  # a number is a number
    assert guard("'tis a dog") == "'tis a dog"


def test_undefined_is_empty_or_null() -> None:
    assert csv_text(["a", "b"], [{"a": math.nan}]) == "a,b\r\n,\r\n"
    found = plain({"a": [math.nan, (1.0, {"b": math.inf})], "c": "nan", "d": None, "e": True})
    assert found == {"a": [None, [1.0, {"b": None}]], "c": "nan", "d": None, "e": True}


def test_new_scores_go_before_old_ones_and_the_file_appears_whole(tmp_path: Path) -> None:
    data = DataSet("x", (CaptionItem("1", "a", ("b",), "m"),), {"cider": np.array([1.0]), "bleu_1": np.array([0.5])})
    path = tmp_path / "x.csv"
    write_dataset(data, path, {"cider": np.array([2.0])})
    again = readers.read_inputs([str(path)], keys=KEYS)
    assert {key: values.tolist() for key, values in again.scores.items()} == {"cider": [2.0], "bleu_1": [0.5]}
    assert again.items == data.items
    with pytest.raises(InvalidInput, match="unknown kind of output"):
        write_dataset(data, tmp_path / "x.parquet", {})
    assert [found.name for found in tmp_path.iterdir()] == ["x.csv"]
