"""Texts that must come out as text, whatever shows them."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

IMAGE = "<img src=x onerror=alert(1)>"
SCRIPT = "</script><script>alert(2)</script>"
MATHS = "$x$"
MARKDOWN = "**bold** [a](http://x)"
QUOTE = '" onmouseover="alert(3)" \''
TURNED = "\u202eright to left\u2067 \u2066"
HOSTILE = (IMAGE, SCRIPT, MATHS, MARKDOWN, QUOTE, TURNED)
ALL = " ".join(HOSTILE)
TAGS = "div table caption thead tbody tr th td bdi small i u b p span a"  # of our templates
# What plotly makes of a text is a little HTML: these are its tags, and ours are the only ones in a figure.
PLOTLY = re.compile(r"</?(?:b|br|span|extra)(?: style=\"color:#[0-9a-f]{6}\")?>")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(html: str) -> tuple[list[tuple[str, dict[str, str | None]]], str]:
    """As a browser reads it: the tags with their attributes, and the text."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.tags, "\n".join(reader.text)


def check_html(html: str) -> str:
    """Nothing but our own tags and attributes, and nothing turns the line around; the text as a reader sees it."""
    found, text = read(html)
    assert {tag for tag, _ in found} <= set(TAGS.split())
    known = {"class", "tabindex", "style", "title", "scope", "colspan", "dir", "id", "href"}
    known |= {"data-pending", "data-name"}
    assert {name for _, attributes in found for name in attributes} <= known
    assert all(re.fullmatch(r"#[a-z0-9-]+", one["href"] or "") for tag, one in found if tag == "a")
    assert not any(mark in html for mark in "\u202e\u2067\u2066")
    return text


def check_figure(figure: Any) -> str:
    """Nothing in a plotly figure that plotly would take for a tag of somebody else; all its texts."""
    return check_spec(figure.to_json())


def check_spec(spec: str) -> str:
    content = json.loads(spec)
    texts = [text for part in ("data", "layout") for text in _texts(content[part])]
    for text in texts:
        assert "<" not in PLOTLY.sub("", text), text
        assert not any(mark in text for mark in "\u202e\u2067\u2066")
    return "\n".join(texts)


def _texts(part: Any) -> list[str]:
    if isinstance(part, str):
        return [part]
    if isinstance(part, dict):
        return [text for name, one in part.items() if name != "template" for text in _texts(one)]
    return [text for one in part for text in _texts(one)] if isinstance(part, list) else []
