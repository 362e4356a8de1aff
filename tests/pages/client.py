"""AppTest with a browser's memory.

With every run a browser sends back what its widgets show, as text; it shows something else only when the visitor
chose it or the server said so. AppTest instead sends what the server holds. The two part ways when a page gives a
widget other options and leaves its value: the browser then sends a label that no option has, and the page gets that
label in place of a value. So this client remembers what a browser would show, and finds fault when it and the server
disagree.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Element, Widget, get_widget_state

from tests.pages.odd import files

APP = str(Path(__file__).parents[2] / "app.py")
PRESSED = {"button", "download_button", "menu_button"}  # told once, then forgotten
FILES = "file_uploader"


class Fault(AssertionError):
    """What a walk must never meet."""


class Client:
    def __init__(self, query: Mapping[str, str] | None = None, script: str = APP, seconds: float = 60) -> None:
        self.app = AppTest.from_file(script, default_timeout=seconds)
        for name, value in (query or {}).items():
            self.app.query_params[name] = value
        self._shown: dict[str, WidgetState] = {}
        self._sent_events: dict[str, dict[str, Any]] = {}

    @property
    def widgets(self) -> list[Widget]:
        return [node for node in self.app._tree if isinstance(node, Widget)]

    def shows(self) -> dict[str, WidgetState]:
        """By name what every widget shows, fields of unsent forms aside."""
        return {
            name_of(one): self._shown[one.id]
            for one in self.widgets
            if one.id in self._shown and not getattr(one.proto, "form_id", "")
        }

    def run(self, *acts: WidgetState) -> None:
        """A run with these changes, as the browser would ask for it."""
        pressed = {one.id for one in self.widgets if one.type in PRESSED}
        self._shown |= {act.id: act for act in acts if act.id not in pressed}
        held = [one._widget_state for one in self.widgets if one.type == FILES]
        self._go([*self._shown.values(), *held, *(act for act in acts if act.id in pressed)])

    def press(self, button: Widget, fields: Iterable[WidgetState] = ()) -> None:
        """The button, and with it the fields of its form."""
        button.set_value(True)  # AppTest hands out the files of a form when its button was pressed
        state = WidgetState(id=button.id)
        state.trigger_value = True
        self.run(*fields, state)

    def give(self, widget: Any, names: list[str]) -> None:
        """Files for the next run; none takes away what is there."""
        found = [(name, files()[name], "application/octet-stream") for name in names]
        widget.set_value((found or None) if widget.accept_multiple_files else found[0] if found else None)

    def tell(self, component: Element, **state: Any) -> None:
        """One of our components sets some of its state."""
        held = self._sent_events.setdefault(component.proto.id, {})
        held.update(state)
        self.run(WidgetState(id=component.proto.id, json_value=json.dumps(held)))

    def select(self, chart: Element, points: list[dict[str, Any]]) -> None:
        picked = {"points": points, "point_indices": [one["point_index"] for one in points], "box": [], "lasso": []}
        self.run(WidgetState(id=chart.proto.id, string_value=json.dumps({"selection": picked})))

    def turn(self, page: str) -> None:
        """Another page: a browser forgets the widgets of the one it leaves."""
        self.app.switch_page(page)
        self._shown.clear()
        self._sent_events.clear()
        self._go(())

    def _go(self, states: Iterable[WidgetState]) -> None:
        message = WidgetStates()
        message.widgets.extend(states)
        self.app._run(message)
        self._check()
        self._remember()

    def _check(self) -> None:
        if self.app.exception:
            told = self.app.exception[0]
            raise Fault(f"the page failed: {told.message}\n" + "\n".join(told.stack_trace))

    def _remember(self) -> None:
        now: dict[str, WidgetState] = {}
        for widget in self.widgets:
            try:
                held = get_widget_state(widget)
            except Exception as error:
                raise Fault(f"{name_of(widget)} holds what is none of its options: {error!r}") from error
            if held is None or widget.type in PRESSED or widget.type == FILES:
                continue
            told = widget.id not in self._shown or getattr(widget.proto, "set_value", False)
            now[widget.id] = held if told else self._shown[widget.id]
            if now[widget.id] != held and not getattr(widget.proto, "form_id", ""):
                raise Fault(f"{name_of(widget)}: the browser shows {now[widget.id]}, the server holds {held}")
        for node in self.app._tree:  # components and charts keep what they sent
            if (name := getattr(getattr(node, "proto", None), "id", "")) and name in self._shown:
                now.setdefault(name, self._shown[name])
        self._shown = now


def name_of(widget: Widget) -> str:
    return f"{widget.type} {widget.key or getattr(widget, 'label', '')!r}"
