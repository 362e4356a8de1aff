"""A widget writes only values its owner can have: never a label, never what is no option any more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.widgets import choice


class Fake:
    """A widget that remembers how it was called; `send` is what the browser would do."""

    def __init__(self) -> None:
        self.key = ""
        self.changed: Callable[[], None] = print

    def __call__(self, *_: Any, key: str, on_change: Callable[[], None], **__: Any) -> None:
        self.key, self.changed = key, on_change

    def send(self, value: Any) -> None:
        st.session_state[self.key] = value
        self.changed()


@pytest.fixture
def _state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})


def labels(place: int) -> str:
    return f"reference {place}"


@pytest.mark.usefixtures("_state")
def test_a_label_is_never_written() -> None:
    widget, written = Fake(), list[int]()
    choice.pick(widget, "Original", [0, 1, 2], 0, written.append, name="original", show=labels)
    for sent in ("reference 1", "1", 7, None, 1):
        widget.send(sent)
    assert written == [1]


@pytest.mark.usefixtures("_state")
def test_what_was_shown_is_not_written_back() -> None:
    """Streamlit reports widgets as changed that are not; by then another widget may have written for them."""
    one, number, written = Fake(), Fake(), list[Any]()
    choice.pick(one, "Caption", ["a cat", "a dog"], "a cat", written.append, name="caption")
    choice.set_number(number, "Seed", 0, 9, 3, written.append, name="seed")
    for widget, value in ((one, "a cat"), (number, 3)):
        widget.send(value)
    assert written == []
    for sent in ("a dog", "a dog", "a cat"):  # and back again, before anything was drawn
        one.send(sent)
    assert written == ["a dog", "a cat"]


@pytest.mark.usefixtures("_state")
def test_other_options_make_another_widget() -> None:
    widget, keys = Fake(), set[str]()
    for options in ([0, 1], [0, 1, 2]):
        choice.pick(widget, "Original", options, 0, print, name="original", show=labels)
        keys.add(widget.key)
    choice.pick(widget, "Original", [0, 1], 0, print, name="original", show=lambda place: f"other {place}")
    assert len({*keys, widget.key}) == 3


@pytest.mark.usefixtures("_state")
def test_what_is_no_option_any_more_is_shown_as_nothing() -> None:
    widget = Fake()
    choice.pick(widget, "Original", [0, 1], 5, print, name="original")
    assert st.session_state[widget.key] is None


@pytest.mark.usefixtures("_state")
def test_a_number_stays_within_its_bounds() -> None:
    widget, written = Fake(), list[int]()
    choice.set_number(widget, "Seed", 0, 10, 99, written.append, name="seed")
    assert st.session_state[widget.key] == 10
    widget.send(None)
    widget.send(3)
    assert written == [3]


def script() -> None:
    import streamlit as st

    from pages.widgets import choice

    held = st.session_state.setdefault("held", {"several": ["a"], "one": 1, "count": 3})
    options = list(range(held["count"]))
    choice.pick(
        st.selectbox,
        "One",
        options,
        held["one"],
        lambda value: held.update(one=value),
        name="one",
        show=lambda value: f"number {value} of {held['count']}",
    )
    choice.pick_several("Several", ["a", "b", "c"], held["several"], lambda found: held.update(several=found), name="s")
    st.button("more", on_click=lambda: held.update(count=held["count"] + 1))


def test_in_an_app_the_owner_keeps_its_type_when_options_change() -> None:
    app = AppTest.from_function(script).run()
    app.selectbox[0].set_value(2).run()
    app.button[0].click().run()
    app.selectbox[0].set_value(3).run()
    app.button_group[0].set_value(["a", "c"]).run()
    assert not app.exception
    assert app.session_state["held"] == {"several": ["a", "c"], "one": 3, "count": 4}


@pytest.mark.usefixtures("_state")
def test_a_hidden_widget_is_another_one_when_its_value_was_changed_elsewhere() -> None:
    widget, written = Fake(), list[int]()

    def draw(current: int) -> str:
        choice.pick(widget, "Original", [0, 1, 2], current, written.append, name="original", hidden=True)
        st.session_state.setdefault(widget.key, current)  # Streamlit's part
        return widget.key

    first = draw(0)
    widget.send(1)
    assert written == [1]
    assert draw(1) == first
    assert draw(2) != first
    gone = widget.key
    st.session_state.pop(gone)
    assert draw(2) != gone
