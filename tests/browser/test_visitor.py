"""The visitor itself, on a page that is slow, runs again by itself, polls, and redraws what it shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser import places
from tests.browser.visitor import Visitor

# Every click runs the script three times, slowly; what it shows has another number of elements every time.
SLOW = """
import time
import streamlit as st

count = st.session_state.setdefault("count", 0)
if st.session_state.get("half"):
    st.session_state.half, st.session_state.count = False, count + 1
    time.sleep(0.1)
    st.rerun()
if st.button("next"):
    st.session_state.half = True
    time.sleep(0.1)
    st.rerun()
for place in range(count % 3):
    st.file_uploader(f"file {place}", key=f"{count} {place}")
    time.sleep(0.05)
st.text(f"count {count}")
time.sleep(0.1)
st.text_input("word", key="word")
st.text(f"word {st.session_state.word}")

@st.fragment
def part():
    st.session_state.parts = st.session_state.get("parts", 0) + st.button("part")
    time.sleep(0.2)
    st.text(f"part {st.session_state.parts}")

part()
if st.button("break"):
    raise RuntimeError("on purpose")
"""


@pytest.fixture
def slow(alone: Callable[[str], Visitor], tmp_path: Path) -> Visitor:
    (tmp_path / "slow.py").write_text(SLOW)
    return alone(str(tmp_path / "slow.py"))


def test_what_is_read_is_what_the_act_led_to(slow: Visitor) -> None:
    for count in range(1, 7):
        slow.click(places.button("next"))
        assert slow.texts(places.LINES)[0] == f"count {count}"
        assert slow.count(places.CHOOSER) == count % 3
        slow.fill(places.textbox("word"), f"w{count}")
        assert slow.texts(places.LINES)[1] == f"word w{count}"
        slow.click(places.button("part"))
        assert slow.texts(places.LINES)[2] == f"part {count}"
    slow.leave()


def test_a_page_that_fails_is_noticed(slow: Visitor) -> None:
    slow.check()
    slow.click(places.button("break"))
    with pytest.raises(AssertionError, match="on purpose"):
        slow.check()
