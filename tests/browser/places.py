"""Where things are on the pages: every selector that tests use."""

from __future__ import annotations

import json

MAIN = "[data-testid=stMainBlockContainer]"
EXCEPTION = "[data-testid=stException]"
DIALOG = "[data-testid=stDialog]"
GONE = "#capeval-gone"
CHOOSER = "input[type=file]"
CHOOSER_BOX = "[data-testid=stFileUploaderDropzone]"
CHART = ".js-plotly-plot"
PICTURE = "[data-testid=stImage] img"
LINES = "[data-testid=stText]"
PRESSED = "[data-testid=stPopoverBody] [aria-pressed=true]"  # chosen, in what is open over the page
MARKER = f"{CHART} .scatterlayer .point"
POINT = f"{CHART} .points path.point"


def by_role(kind: str, name: str, *, exact: bool) -> str:
    return f"role={kind}[name{'=' if exact else '*='}{json.dumps(name, ensure_ascii=False)}]"


def button(name: str) -> str:
    return by_role("button", name, exact=False)  # an icon's name stands before it


def popover(name: str) -> str:
    """A button that opens a part of the page over it."""
    return f"[data-testid=stPopover]:has-text({json.dumps(name)}) >> role=button"


def radio(name: str) -> str:
    return by_role("radio", name, exact=True)


def textbox(name: str) -> str:
    return by_role("textbox", name, exact=True)


def combobox(name: str) -> str:
    return by_role("combobox", name, exact=False)


def option(name: str) -> str:
    return by_role("option", name, exact=True)


def number(name: str) -> str:
    return by_role("spinbutton", name, exact=False)


def link(name: str) -> str:
    return by_role("link", name, exact=False)


def words(text: str) -> str:
    return f"text={text}"


def first(place: str) -> str:
    return nth(place, 0)


def nth(place: str, number: int) -> str:
    return f"{place} >> nth={number}"


# Inspect

CAPTIONS = "tr.caption .text"
CHOSEN = "tr.caption.chosen"
OPEN_METRIC = "tr.names th.open"
PICK = "tr.caption .pick"
SCORES = "tr.scores"
BEST = "tr.scores td.best"
REFERENCES = "li .text"
ADD_CANDIDATE = textbox("add a candidate")
ADD_REFERENCE = textbox("add a reference")
ARITHMETIC = ".capeval.arithmetic"
REACHED = ".capeval:target"  # where a link within the page has led


def score(row: int, key: str) -> str:
    return f"{nth(SCORES, row)} >> td[data-key={key}] .value"


def candidate(number: int) -> str:
    return textbox(f"candidate {number}")


def chip(word: str) -> str:
    return f".chip:has-text({json.dumps(word)})"


# The open data set

DATA = ".data-bar"
OPEN_DATA = '.st-key-data-bar >> role=button[name*="Open"]'
USE_DATA = button("Open them")

# Systems

CLICKED = "table:has-text('Captions of') tr.bold td"  # the caption, then its scores

# Explore

CARDS = ".card .said:first-child .text"  # of a card that compares two captions: the first
NOW = ".card.now"
CHIPS = ".card .chip"
THUMBS = ".card .thumb img"
PAGER = ".pager .where"
CARD_LIST = ".cards"


def bar(kind: str) -> str:
    """Of the error profile."""
    return f".bars [data-kind={kind}]"


# Judges

RATE = "ol.rate"
RATE_ROWS = f"{RATE} li"
RATED = "table.captions .text"
LAST_CHOOSER = f"{CHOOSER} >> nth=-1"

# Learn

SLIDER = "role=slider"
TRAIN = by_role("button", "Train", exact=True)
CANCEL = "button.cancel"

# Lessons

LESSON = ".st-key-lesson"

# Perturb

ADD_ROW = textbox("add a row")


def row(name: str) -> str:
    return f'tr[data-row="{name}"]'


def cell(name: str, key: str) -> str:
    return f"{row(name)} td[data-key={key}]"


def caption(name: str) -> str:
    return f"{row(name)} .text"
