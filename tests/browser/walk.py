"""A walk in the browser: acts drawn from a seed, on whatever a visitor can see and touch.

python -m tests.browser.walk --seeds 0:3 --length 300
python -m tests.browser.walk --acts FILE                does again what a walk has printed
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import TimeoutError as OutOfReach
from playwright.sync_api import sync_playwright

from pages.work import keeping
from tests.browser import places
from tests.browser.conftest import FLAGS
from tests.browser.serving import serve
from tests.browser.visitor import Control, Visitor
from tests.pages.acts import Act
from tests.pages.client import Fault
from tests.pages.odd import CAPTIONS, files

LENGTH = 300
OFTEN = {"control": 86, "back": 2, "forward": 1, "reload": 2, "undo": 2, "redo": 1, "close": 6}
TYPED = ("textbox", "edit")


class Walk:
    def __init__(self, visitor: Visitor, seed: int, folder: Path) -> None:
        self.visitor, self.chance, self.folder = visitor, random.Random(seed), folder
        self.log: list[Act] = []

    def run(self, length: int) -> None:
        try:
            for _ in range(length):
                self.log.append(self._draw())
                self.do(self.log[-1])
        except Exception as error:
            acts = "\n".join(map(str, self.log))
            raise Fault(f"act {len(self.log)}: {error}\nthe acts:\n{acts}") from error

    def do(self, act: Act) -> None:
        """The act; nothing where there is no such thing to touch (any more)."""
        if act.kind == "reload":
            self._reload()
        elif act.kind in OFTEN:
            getattr(self.visitor, act.kind)(pending=False)
        else:
            found = [one for one in self.visitor.controls() if (one.kind, one.name) == (act.kind, act.name)]
            if found:
                self._touch(found[0], act.value)
        self.visitor.check()

    def _reload(self) -> None:
        """What was changed before is there again."""
        before = self._captions()
        kept = f"{keeping.PARAMETER}=" in self.visitor.address
        self.visitor.reload(pending=False)
        if kept and self._captions() != before:
            raise Fault(f"a reload lost something: {before} became {self._captions()}")

    def _captions(self) -> list[str]:
        shown = (places.CAPTIONS, places.REFERENCES)
        return [text for place in shown for text in self.visitor.texts(place, pending=False)]

    def _draw(self) -> Act:
        kind = self.chance.choices(list(OFTEN), list(OFTEN.values()))[0]
        found = sorted(self.visitor.controls(), key=lambda one: (one.kind, one.name))
        if kind != "control" or not found:
            return Act("close" if kind == "control" else kind)
        kinds = sorted({one.kind for one in found})  # a table of cells is one thing among many
        chosen = self.chance.choice(found if self.chance.random() < 0.3 else self._of(found, self.chance.choice(kinds)))
        return Act(chosen.kind, chosen.name, self._value(chosen))

    def _of(self, found: list[Control], kind: str) -> list[Control]:
        return [one for one in found if one.kind == kind]

    def _value(self, control: Control) -> object:
        if control.kind in TYPED:
            return self.chance.choice(CAPTIONS)
        if control.kind == "number":
            return str(self.chance.choice((0, 1, 2, 7, 50, 9_999, -1)))
        if control.kind == "slider":
            return self.chance.choice(("ArrowRight", "ArrowLeft", "Home", "End"))
        if control.kind == "file":
            allowed = tuple(one for one in control.accepts.split(",") if one)
            odd = not allowed or self.chance.random() < 0.1
            names = [name for name in files() if odd or name.endswith(allowed)]
            return self.chance.sample(names, self.chance.choice((1, 1, 2)) if control.several else 1)
        return self.chance.random()  # which of the options, where a list opens

    def _touch(self, control: Control, value: object) -> None:
        try:
            if control.kind in (*TYPED, "number"):
                self.visitor.fill(control.place, str(value), pending=False)
            elif control.kind == "slider":
                self.visitor.press_on(control.place, str(value))
            elif control.kind == "file":
                assert isinstance(value, list)
                self.visitor.upload(*(self._file(name) for name in value), place=control.place, pending=False)
            else:
                self.visitor.click(control.place, pending=False, force=control.kind == "point")
                if control.kind == "combobox":
                    self._choose(float(str(value)))
        except OutOfReach:  # something lies over it: a visitor could not touch it either
            self.visitor.close(pending=False)

    def _choose(self, share: float) -> None:
        options = [one for one in self.visitor.controls() if one.kind == "option"]
        if options:
            self.visitor.click(options[int(share * len(options))].place, pending=False)

    def _file(self, name: str) -> Path:
        path = self.folder / name.replace("/", "_")
        path.write_bytes(files()[name])
        return path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0:1")
    parser.add_argument("--length", type=int, default=LENGTH)
    parser.add_argument("--acts", type=Path)
    asked, failed = parser.parse_args(), 0
    with tempfile.TemporaryDirectory() as name, serve(Path(name)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        for seed in range(*map(int, asked.seeds.split(":"))) if not asked.acts else [0]:
            walk = Walk(Visitor(browser, server), seed, Path(name))
            try:
                if asked.acts:
                    for line in asked.acts.read_text().splitlines():
                        walk.do(Act(**json.loads(line)))
                else:
                    walk.run(asked.length)
                print(f"seed {seed}: all went well", flush=True)
            except Exception as error:
                failed = 1
                print(f"seed {seed}: {error}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
