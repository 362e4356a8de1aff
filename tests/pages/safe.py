"""What a page shows, sorted by how a browser reads it: as HTML, as markdown, or as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from streamlit.testing.v1 import AppTest

from tests.figures.hostile import HOSTILE, check_html, check_spec

# What shows its own text as it is; of widgets that hold a visitor's text the label and the help are markdown.
PLAIN = {"text", "code", "html", "arrow_data_frame", "plotly_chart", "bidi_component", "imgs", "download_button"}
FIELDS = {"selectbox", "multiselect", "text_input", "text_area", "number_input", "file_uploader"}
NOT_SHOWN = {"id", "form_id", "key", "url", "page_script_hash", "alt"}  # alt: an attribute, read out as it is


def html_of(app: AppTest) -> list[str]:
    """The pieces of HTML, style sheets aside."""
    assert not app.exception
    bodies = [str(element.proto.body) for element in app.get("html")]
    return [body for body in bodies if not body.startswith("<style>")]


def markdown_of(app: AppTest) -> list[str]:
    """Every text of the page that a browser reads as markdown."""
    found: list[str] = []
    for node in app._tree:
        proto = getattr(node, "proto", None)
        if proto is None or node.type in PLAIN:
            continue
        found += [proto.label, proto.help] if node.type in FIELDS else _texts(proto)
    return found


def _texts(part: Any) -> Iterator[str]:
    """Of a message of Streamlit's, and of those inside it."""
    if isinstance(part, str):
        yield part
    elif hasattr(part, "ListFields"):
        for field, value in part.ListFields():
            yield from _texts(value) if field.name not in NOT_SHOWN else ()
    elif isinstance(part, Iterable) and not isinstance(part, bytes):
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
