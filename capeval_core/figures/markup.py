"""The one way from data to HTML: templates/ filled by Jinja2. Every text is cleaned and escaped on the way."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from capeval_core.figures.charts import tint
from capeval_core.figures.palette import UNDERLINES, Palette
from capeval_core.figures.words import clean

FOLDER = Path(__file__).parent / "templates"


def fill(template: str, palette: Palette, **data: Any) -> Markup:
    """What is already Markup goes in as it is; anything else is text."""
    return Markup(_environment().get_template(template).render(colours=colours(palette), palette=palette, **data))


@cache
def style() -> Markup:
    """The rules of every template. A page shows them once; the colours come with each piece of HTML."""
    return Markup(_environment().get_template("style.css").render(underlines=UNDERLINES))


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        auto_reload=False,  # they are part of the program: no look at the disk each time
        undefined=StrictUndefined,
        finalize=_clean,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _clean(value: Any) -> Any:
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return "\n".join(map(clean, value.split("\n")))  # a tooltip may have several lines


def colours(palette: Palette) -> str:
    """The custom properties that style.css uses."""
    names = ("text", "faint", "accent", "matched", "near", "missed", "extra")
    found = {name: getattr(palette, name) for name in names}
    found |= {"rule": tint(palette.faint, 0.3), "track": tint(palette.faint, 0.15)}
    return ";".join(f"--{name}:{colour}" for name, colour in found.items())
