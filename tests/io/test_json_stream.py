"""JSON read entry by entry says what json.loads says, wherever the pieces are cut."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capeval_core import InvalidInput
from capeval_core.io import json_stream, sources
from capeval_core.io.json_stream import annotation_entries, entries
from capeval_core.io.limits import APP
from capeval_core.io.sources import Meter

VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def read(text: str | bytes, make: Any = entries, block: int = 1 << 20) -> list[Any]:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    before, sources.BLOCK = sources.BLOCK, block
    try:
        return list(make(sources.of_bytes("a.json", data), Meter(APP)))
    finally:
        sources.BLOCK = before


@settings(max_examples=100, deadline=None)
@given(st.lists(VALUE, max_size=5), st.integers(1, 40), st.sampled_from([None, 1]))
def test_entries_are_those_of_the_whole(values: list[Any], block: int, indent: int | None) -> None:
    text = json.dumps(values, indent=indent, ensure_ascii=False)
    assert json.loads(json.dumps(read(text, block=block))) == json.loads(text)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.text(max_size=5), VALUE, max_size=4), st.lists(VALUE, max_size=4), st.integers(1, 40))
def test_annotations_are_found_among_anything(around: dict[str, Any], values: list[Any], block: int) -> None:
    text = json.dumps({**around, "annotations": values, "licenses": [{"id": 1.5}], "n": 1.25})
    assert json.loads(json.dumps(read(text, annotation_entries, block))) == values


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from('[]{},:"\\ntrue1.e- \n'), max_size=30), st.integers(1, 8))
def test_what_json_refuses_is_refused(text: str, block: int) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        expected = None
    if isinstance(expected, list):
        assert read(text, block=block) == expected
    else:
        with pytest.raises(InvalidInput, match=r"^a\.json: line \d"):
            read(text, block=block)


@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_the_place_of_a_fault_is_named(block: int) -> None:
    text = '[\n{"a": 1},\n  {"a" 2}]'
    with pytest.raises(InvalidInput, match=r"a\.json: line 3: broken JSON; found Expecting ':' delimiter at column 8"):
        read(text, block=block)
    with pytest.raises(InvalidInput, match=r"line 2: not UTF-8; found byte 0xff"):
        read(b'[1,\n"\xff"]', block=block)
    with pytest.raises(InvalidInput, match=r"line 1: broken JSON; found Extra data at column 4"):
        read("[1] 2"[:3] + "]", block=block)


def test_all_brackets_are_refused_at_the_first_entries() -> None:
    """As one tree in memory 20 MB of them would be a gigabyte."""
    from tests.io.hostile import MEGABYTE, memory

    found = 0
    with memory(40 * MEGABYTE):
        for _ in entries(sources.of_bytes("a.json", b"[" + b"[]," * 6_000_000 + b"1]"), Meter(APP)):
            found += 1
            if found == 100:
                break
    assert found == 100


def test_one_endless_entry_is_stopped() -> None:
    with pytest.raises(InvalidInput, match=r"a\.json: line 1: too long; expected rows of at most 4 MB"):
        read('["' + "x" * 9_000_000)


def test_which_file_is_an_object() -> None:
    for text, expected in (("{", True), ("\ufeff \n {", True), ("[{", False), ("", False)):
        assert json_stream.is_object(sources.of_bytes("a.json", text.encode())) is expected
