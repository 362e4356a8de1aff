"""What a page shows, sorted by how a browser reads it: as HTML, as markdown, or as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1 import AppTest

from tests.figures.hostile import HOSTILE, check_html, check_spec

# What shows its own text as it is; of widgets that hold a visitor's text the label and the help are markdown.
PLAIN = {"text", "code", "html", "arrow_data_frame", "plotly_chart", "bidi_component", "imgs", "download_button"}
FIELDS = {"selectbox", "multiselect", "text_input", "text_area", "number_input", "file_uploader"}
NOT_SHOWN = {"id", "formId", "key", "url", "pageScriptHash"}


def html_of(app: AppTest) -> list[str]:
    """The pieces of HTML, style sheets aside."""
    assert not app.exception
    bodies = [str(element.proto.body) for element in app.get("html")]
    return [body for body in bodies if not body.startswith("<style>")]


def markdown_of(app: AppTest) -> list[str]:
    """Every text of the page that a browser reads as markdown."""
    found = []
    for node in app._tree:
        proto = getattr(node, "proto", None)
        if proto is not None and node.type not in PLAIN:
            content = MessageToDict(proto)
            found += _texts(
                {name: content.get(name, "") for name in ("label", "help")} if node.type in FIELDS else content
            )
    return found


def _texts(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for name, one in part.items():
            yield from _texts(one) if name not in NOT_SHOWN else ()
    elif isinstance(part, list):
        for one in part:
            yield from _texts(one)


def check(app: AppTest) -> None:
    """No hostile text is read as HTML or markdown, or by plotly as a tag."""
    for body in html_of(app):
        check_html(body)
    for chart in app.get("plotly_chart"):
        check_spec(chart.proto.spec)
    read = "\n".join(markdown_of(app))
    assert [text for text in HOSTILE if text in read] == []
