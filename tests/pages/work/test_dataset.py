"""The open data set: the samples at first, one per session, nobody else's ever."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from typing import Any

import pytest
import streamlit as st

from pages.work import dataset
from pages.work.dataset import HUMAN, from_samples
from pages.work.samples import SYSTEMS, samples
from tests.io.hostile import photograph, zipped
from tests.io.test_dataset import ROWS, lines

GOOD = ("mine.jsonl", lines(ROWS))
BAD = ("bad.jsonl", b"{")


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """Two sessions' states; the first is on."""
    states: list[dict[str, Any]] = [{}, {}]
    monkeypatch.setattr(st, "session_state", states[0])
    yield states
    for state in states:
        state.clear()
    gc.collect()


def test_the_samples_take_one_person_out_of_the_references() -> None:
    found = from_samples()
    assert found.samples
    assert list(found.systems) == [HUMAN, *SYSTEMS]
    assert {len(rows) for rows in found.systems.values()} == {len(samples())}
    assert {len(item.references) for item in found.items} == {4}
    assert len({item.references for item in found.items}) == len(samples())  # the same four for everybody
    places = []
    for row, scene in zip(found.systems[HUMAN], samples(), strict=True):
        item = found.items[row]
        assert item.candidate not in item.references
        assert sorted((item.candidate, *item.references)) == sorted(scene.references)
        places.append(scene.references.index(item.candidate))
    assert {places.count(place) for place in range(5)} == {len(samples()) // 5}


def test_the_samples_bring_their_images() -> None:
    found = from_samples()
    scene = samples()[3]
    assert found.image(scene.id) == scene.image.read_bytes()
    assert found.image("nothing") is None
    assert found.facts() == (
        f"{len(samples()) * 5} captions, 5 captioners, {len(samples())} images; references, images"
    )


@pytest.mark.usefixtures("sessions")
def test_files_take_the_place_of_the_samples_and_bad_ones_do_not() -> None:
    assert dataset.current() is from_samples()
    before = dataset.version()
    assert dataset.open_files([GOOD])
    mine = dataset.current()
    assert (mine.title, len(mine.items), mine.samples) == ("mine.jsonl", 3, False)
    assert dataset.version() == before + 1
    assert dataset.take_message() == ""
    assert not dataset.open_files([BAD])
    assert dataset.current() is mine
    assert dataset.version() == before + 1
    assert dataset.take_message().startswith("bad.jsonl: line 1: broken JSON")
    assert dataset.take_message() == ""  # said once
    dataset.close()
    assert dataset.current().samples
    assert dataset.version() == before + 2


@pytest.mark.usefixtures("sessions")
def test_opening_something_else_forgets_what_went_wrong() -> None:
    dataset.open_files([BAD])
    dataset.open_samples()
    assert dataset.take_message() == ""


def test_one_copy_of_equal_files_and_nothing_of_anybody_else(
    sessions: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    images = zipped({"a.jsonl": lines(ROWS), "1.png": photograph("PNG")})
    assert dataset.open_files([("mine.zip", images)])
    mine = dataset.current()
    monkeypatch.setattr(st, "session_state", sessions[1])
    assert dataset.current().samples
    assert dataset.take_message() == ""
    assert dataset.open_files([("mine.zip", images)])
    assert dataset.current() is mine  # the same bytes of the same name
    assert dataset.open_files([("private.zip", images)])
    assert dataset.current() is not mine
    assert dataset.current().title == "private.zip"
    row = json.dumps({"image_id": 1, "candidate": "secret", "references": []}).encode()
    assert dataset.open_files([("mine.zip.jsonl", row)])
    monkeypatch.setattr(st, "session_state", sessions[0])
    assert dataset.current() is mine
    assert "secret" not in {item.candidate for item in dataset.current().items}


def test_what_nobody_holds_is_dropped(sessions: list[dict[str, Any]]) -> None:
    assert dataset.open_files([("dropped.jsonl", lines(ROWS[:1]))])
    key = (dataset.current().title, dataset.current().digest)
    assert key in dataset._SHARED
    sessions[0].clear()
    gc.collect()
    assert key not in dataset._SHARED
