"""Screenshots of every page and view, light and dark, wide, narrow and on a phone: `make shots`. To be looked at.

python -m tests.browser.shots FOLDER [--only inspect,guide] [--looks light-1440,dark-390]
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from capeval_core import registry
from pages.explore.state import TABS as EXPLORE_TABS
from pages.judges.state import OWN, RATE
from pages.systems.state import VIEWS as SYSTEMS_VIEWS
from pages.work.dataset import from_samples
from pages.work.workspace import VIEWS
from tests.browser import places
from tests.browser.conftest import FLAGS
from tests.browser.serving import ROOT, Server, serve
from tests.browser.visitor import Visitor

LOOKS = [f"{colour}-{width}" for colour in ("light", "dark") for width in (1440, 900, 390)]
Scene = Callable[[Visitor, Path], Iterator[str]]  # acts, and gives a name whenever a picture is due


def inspect(visitor: Visitor, files: Path) -> Iterator[str]:
    visitor.open()
    yield "first"
    for spec in registry.select(None):
        visitor.click(places.radio(spec.label))
        yield f"evidence-{spec.key}"
    for view in VIEWS[1:]:
        visitor.click(places.radio(view))
        yield view
    visitor.fill(places.candidate(1), "a man in a red life jacket paddles a canoe past the reeds on a calm lake")
    visitor.click(places.chip("canoe"))
    yield "changed-and-concept"
    for name in ("Paste captions", "Open", "Metrics", "Options", "Share", "Export"):
        visitor.click(places.popover(name))
        yield f"popover-{name}"
        visitor.press("Escape")
    visitor.click(places.button("your own image and captions"))
    yield "empty"
    visitor.click(places.button("Undo"))
    yield "undone"


def perturb(visitor: Visitor, files: Path) -> Iterator[str]:
    visitor.open("/perturb")
    yield "first"
    visitor.click(places.radio("Bars"))
    yield "bars"
    visitor.click(places.popover("of 22 kinds"))
    yield "popover-kinds"
    visitor.press("Escape")
    visitor.click(places.button("The paper's example"))
    yield "paper"
    visitor.click(places.radio("Evidence"))
    visitor.click(places.radio("A whole data set"))
    yield "data"
    visitor.fill(places.number("Captions to change"), "10")
    visitor.click(places.button("Measure"))
    for view in ("Sensitivity", "Distractors", "Changed captions"):
        visitor.click(places.radio(view))
        yield f"data-{view}"
    visitor.choose("Largest loss first", "METEOR")
    yield "data-changed-by-meteor"


def systems(visitor: Visitor, files: Path) -> Iterator[str]:
    visitor.open("/systems")
    for view in SYSTEMS_VIEWS:
        visitor.click(places.radio(view))
        yield view
    visitor.click(places.radio(SYSTEMS_VIEWS[0]))
    visitor.click(places.nth(places.POINT, 5), force=True)
    yield "point"
    for name in ("Drawing", "Metrics"):
        visitor.click(places.popover(name))
        yield f"popover-{name}"
        visitor.press("Escape")
    visitor.click(places.OPEN_DATA)
    yield "popover-data"


def explore(visitor: Visitor, files: Path) -> Iterator[str]:
    visitor.open("/explore")
    yield "first"
    visitor.choose("Captioner", "hallucinating")
    visitor.click(places.bar("invented_object"))
    visitor.choose("Score range", "CIDEr")
    yield "filtered"
    for view in EXPLORE_TABS[1:]:
        visitor.click(places.radio(view))
        yield view
    for name in ("Link", "Export"):
        visitor.click(places.popover(name))
        yield f"popover-{name}"
        visitor.press("Escape")
    visitor.click(places.radio(EXPLORE_TABS[0]))
    visitor.click(places.nth(places.CARDS, 0))
    visitor.click(places.radio("Errors"))
    yield "in-inspect"


def judges(visitor: Visitor, files: Path) -> Iterator[str]:
    visitor.open("/judges")
    yield "first"
    for view in ("Agreement", "Pairs by group", "Real differences", "Metrics alike", "Score by rating", "Together"):
        visitor.click(places.radio(view))
        yield view
    visitor.click(places.radio(OWN))
    yield "own-empty"
    visitor.open_data(files / "rated.jsonl")
    for view in ("Agreement", "Real differences", "Score by rating", "Raters", "Where they differ"):
        visitor.click(places.radio(view))
        yield f"own-{view}"
    visitor.click(places.radio(RATE))
    yield "rate"
    visitor.click(places.radio("Better of two"))
    yield "rate-pairs"
    visitor.click(places.radio("1 to 5"))
    for key in "135241352413524":
        visitor.press(key)
    yield "rated"
    visitor.click(places.button("Reveal"))
    yield "revealed"


def learn(visitor: Visitor, files: Path) -> Iterator[str]:
    visitor.open("/learn")
    yield "first"
    visitor.click(places.TRAIN)
    yield "trained"
    visitor.click(places.radio("The open data set"))
    visitor.click(places.TRAIN)
    yield "too-little"
    visitor.click(places.button("Take the made captions"))
    visitor.click(places.radio("NNEval"))
    visitor.click(places.TRAIN)
    yield "nneval"
    visitor.click(places.button("Use it in Inspect"))
    yield "used"


def guide(visitor: Visitor, files: Path) -> Iterator[str]:
    visitor.open("/guide")
    for metric in dict.fromkeys(spec.metric for spec in registry.select(None)):
        visitor.click(places.radio("BLEU" if metric == "bleu" else registry.get(metric).label))
        yield f"card-{metric}"
    for view in ("Which metric sees what", "Resources", "Lessons"):
        visitor.click(places.radio(view))
        yield view
    visitor.click(places.first(places.button("Show the answer")))
    yield "lesson-answered"
    for number in range(6):
        visitor.click(places.nth(places.button("Open in "), number))
        visitor.click(places.button("answer"))
        yield f"lesson-{number}"
        visitor.click(places.button("Back to the lessons"))


SCENES: dict[str, Scene] = {one.__name__: one for one in (inspect, perturb, systems, explore, judges, learn, guide)}


def shoot(visitor: Visitor, page: str, files: Path, folder: Path, looks: list[str]) -> None:
    """A view that cannot be reached is said; the other pages follow."""
    try:
        for view in SCENES[page](visitor, files):
            for look in looks:
                wear(visitor, look)
                visitor.picture(folder / f"{page}-{view.lower().replace(' ', '-')}-{look}.png")
            wear(visitor, LOOKS[0])
        visitor.check()
    except Exception as error:
        print(f"{page}: {error}", flush=True)


def wear(visitor: Visitor, look: str) -> None:
    colour, width = look.split("-")
    visitor.look(width=int(width), dark=colour == "dark")


def rated(folder: Path) -> None:
    """The samples' captions as a file, with two people's ratings."""
    marks = {"human": (5, 5), "careful": (5, 4), "generic": (3, 3), "hallucinating": (2, 1), "ungrammatical": (2, 3)}
    rows = [
        {"image_id": item.image_id, "system": item.system, "candidate": item.candidate}
        | {"references": item.references, "ratings": [max(1, one - place % 2) for one in marks[item.system]]}
        for place, item in enumerate(from_samples().items)
    ]
    (folder / "rated.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def take(browser: Browser, server: Server, folder: Path, pages: list[str], looks: list[str]) -> None:
    rated(folder)
    for page in pages:
        visitor = Visitor(browser, server)
        shoot(visitor, page, folder, folder, looks)
        visitor.shut()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "shots")
    parser.add_argument("--only", default=",".join(SCENES))
    parser.add_argument("--looks", default=",".join(LOOKS))
    asked = parser.parse_args()
    asked.folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as logs, serve(Path(logs)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        take(browser, server, asked.folder, asked.only.split(","), asked.looks.split(","))
        browser.close()


if __name__ == "__main__":
    main()
