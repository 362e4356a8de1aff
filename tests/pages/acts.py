"""What can be touched on a page run without a browser, what to do with it, and doing it."""

from __future__ import annotations

import json
import random
from dataclasses import asdict, dataclass
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.pages.client import Client, name_of
from tests.pages.odd import CAPTIONS, files


@dataclass(frozen=True, slots=True)
class Act:
    kind: str  # what is touched, and how
    name: str = ""
    value: Any = None

    def __str__(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=True)


GROUPS = {
    "component": ("component",),
    "chart": ("chart",),
    "widget": (
        "button", "button_group", "checkbox", "toggle", "file_uploader", "multiselect", "number_input", "radio",
        "selectbox", "slider", "text_area", "text_input",
    ),
}  # fmt: skip


def targets(client: Client) -> dict[tuple[str, str], Any]:
    """What can be touched now. A field of a form is touched when the form is sent."""
    found: dict[tuple[str, str], Any] = {}
    nodes: list[tuple[str, str, Any]] = [
        (node.type, name_of(node), node) for node in client.widgets if not node.proto.disabled
    ]
    elements: list[Any] = [*client.app.get("bidi_component"), *client.app.get("plotly_chart")]
    nodes += [("component", node.proto.id, node) for node in elements if node.type == "bidi_component"]
    nodes += [("chart", node.proto.id, node) for node in elements if getattr(node.proto, "selection_mode", None)]
    for kind, name, node in nodes:
        in_form = kind != "button" and bool(getattr(node.proto, "form_id", ""))
        if kind in {one for group in GROUPS.values() for one in group} and not in_form:
            same = sum(1 for place in found if place[0] == kind and place[1].split(" #")[0] == name)
            found[kind, f"{name} #{same}" if same else name] = node
    return found


def perform(client: Client, node: Any, act: Act) -> None:
    if act.kind == "component":
        client.tell(node, **act.value)
    elif act.kind == "chart":
        client.select(node, act.value)
    elif act.kind == "file_uploader":
        client.give(node, act.value)
        client.run()
    elif act.kind == "button":
        values = act.value or {}
        fields = [(one, values[name_of(one)]) for one in fields_of(client, node) if name_of(one) in values]
        for one, names in fields:
            if one.type == "file_uploader":
                client.give(one, names)
        client.press(node, [state_of(one, value) for one, value in fields if one.type != "file_uploader"])
    elif offered(node, act.value):
        client.run(state_of(node, act.value))


def offered(node: Any, value: Any) -> bool:
    """When acts are done again without some of them, a list may lack what was chosen from it."""
    chosen = value if isinstance(value, list) else [value]
    return not hasattr(node, "options") or set(chosen) <= set(node.options)


def fields_of(client: Client, button: Any) -> list[Any]:
    form = getattr(button.proto, "form_id", "")
    return [
        one for one in client.widgets if form and one.type != "button" and getattr(one.proto, "form_id", "") == form
    ]


def state_of(node: Any, value: Any) -> WidgetState:
    """What the browser sends for it."""
    state = WidgetState(id=node.id)
    if node.type in ("button_group", "multiselect"):
        state.string_array_value.data[:] = value
    elif node.type in ("selectbox", "text_input", "text_area", "radio"):
        state.string_value = value
    elif node.type == "slider":
        state.double_array_value.data[:] = value if isinstance(value, list) else [value]
    elif node.type == "number_input":
        state.double_value = value
    else:
        state.bool_value = value
    return state


def draw_value(kind: str, node: Any, client: Client, chance: random.Random) -> Any:
    if kind == "component":
        return draw_event(json.loads(node.proto.json), chance)
    if kind == "chart":
        return draw_points(json.loads(node.proto.spec), chance)
    if kind == "button":
        return {name_of(one): draw_value(one.type, one, client, chance) for one in fields_of(client, node)}
    if kind == "file_uploader":
        return draw_files(node, chance)
    if kind in ("button_group", "multiselect"):
        return draw_options(node, chance)
    if kind in ("selectbox", "radio"):
        return chance.choice(node.options) if node.options else ""
    if kind in ("text_input", "text_area"):
        return chance.choice(CAPTIONS)[: node.proto.max_chars or None]
    if kind in ("slider", "number_input"):
        low, high, step = node.proto.min, node.proto.max, node.proto.step or 1
        ends = len(node.proto.default) if kind == "slider" else 1
        drawn = sorted(low + step * chance.randrange(int((high - low) / step) + 1) for _ in range(ends))
        return drawn if ends > 1 else drawn[0]
    return chance.random() < 0.5


def draw_options(node: Any, chance: random.Random) -> list[str]:
    """A click on one of the options."""
    if not node.options:
        return []
    clicked, chosen = chance.choice(node.options), list(node.formatted_values)
    if node.type == "button_group" and node._is_single_select:
        return [] if [clicked] == chosen and not getattr(node.proto, "required", False) else [clicked]
    return [one for one in chosen if one != clicked] if clicked in chosen else [*chosen, clicked]


def draw_files(node: Any, chance: random.Random) -> list[str]:
    """Files, or none; where the chooser lets only some endings through the browser hands in no other."""
    names = [name for name in files() if not node.proto.type or name.endswith(tuple(node.proto.type))]
    most = chance.choice((0, 1, 1, 2, 3)) if node.proto.multiple_files else chance.choice((0, 1, 1, 1))
    return chance.sample(names, min(len(names), most))


def draw_event(data: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """An event of one of our components: about what it shows, or, rarely, about something that is not there."""
    data = json.loads(data["packed"]) if "packed" in data else data
    text = chance.choice(CAPTIONS)
    events: list[dict[str, Any]] = [{"op": "cancel"}] if "cancel" in data else []
    for row in data.get("rows", [])[:6]:
        keys = [column["key"] for column in data.get("columns", ())] or ["bleu_1"]
        opened = {"op": chance.choice(("choose", "open")), "id": row["id"], "key": chance.choice(keys)}
        events += [opened, opened, {"op": "edit", "id": row["id"], "texts": [text]}]
        events += [{"op": "remove", "id": row["id"]}, {"op": "rename", "id": row["id"], "texts": [text]}]
    references = data.get("references")  # the table has the number of an event there
    for place, was in enumerate(references[:4] if isinstance(references, list) else ()):
        events += [{"op": "edit reference", "id": place, "was": was, "texts": [one]} for one in (text, "")]
    events += [{"op": "concept", "texts": [one["stem"]]} for one in data.get("concepts", [])[:3]]
    if data.get("captions") and "keys" in data:  # to be rated
        task = chance.choice(data["captions"])["task"]
        events += [{"op": "answer", "task": task, "value": one} for one in data["keys"].values()]
        events += [{"op": "skip", "task": task}, {"op": "undo"}, {"op": "answer", "task": ["x"], "value": 9}]
    events += [{"op": "kind", "id": one["id"]} for one in data.get("bars", ())]
    if "first" in data and "size" in data:  # cards
        events += [{"op": "page", "id": chance.choice((0, 1, 2, -1, 10**9, "x"))}, {"op": "kind", "id": "repetition"}]
    events += [{"op": one, "texts": [text]} for one in ("add", "add reference")]
    events += [{"op": "edit", "id": 10_000, "texts": [text]}, {"op": "choose", "id": "none", "key": "none"}, {}]
    if data.get("pending") and chance.random() < 0.5:
        return {"poll": chance.randrange(10**6)}
    return {"events": [chance.choice(events) | {"n": data.get("ack", 0) + 1}]}


def draw_points(spec: dict[str, Any], chance: random.Random) -> list[dict[str, Any]]:
    """A click on a point of the figure, or none."""
    traces = [(place, trace) for place, trace in enumerate(spec["data"]) if trace.get("customdata")]
    if not traces or chance.random() < 0.2:
        return []
    curve, trace = chance.choice(traces)
    known = trace["customdata"]
    place = chance.randrange(len(known)) if isinstance(known, list) else 0
    custom = known[place] if isinstance(known, list) else None
    return [{"curve_number": curve, "point_index": place, "point_number": place, "x": 0, "y": 0, "customdata": custom}]
