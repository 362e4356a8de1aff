"""The lessons of assets/lessons/: a question, what to open for it, and an answer whose numbers are scored live.

`{score KEY A}` in an answer is the score of caption A, `{score KEY A idf=corpus}` that under another option.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from capeval_core import CaptionItem, registry
from capeval_core import options as metric_options
from capeval_core.figures.numbers import score
from pages.work.workspace import IMAGE_ID, Workspace

FOLDER = Path(__file__).parents[2] / "assets" / "lessons"
CHECK = re.compile(r"\s*<!-- (\w+) -->")
SCORE = re.compile(r"\{score (\w+) ([ABC])(?: (\w+)=(\w+))?\}")


@dataclass(frozen=True, slots=True)
class Asked:
    """A number in an answer."""

    key: str
    letter: str
    options: tuple[tuple[str, Any], ...] = ()  # by metric name, as cells take them


@dataclass(frozen=True, slots=True)
class Lesson:
    id: str
    title: str
    question: str
    answer: str  # markdown with {score ...}
    page: str  # folder of the page it opens
    view: str
    metric: str
    references: tuple[str, ...]
    captions: dict[str, str]  # by letter
    chosen: str
    other: str

    def item(self, letter: str) -> CaptionItem:
        return CaptionItem(IMAGE_ID, self.captions[letter], self.references)

    def workspace(self) -> Workspace:
        found = Workspace(title=self.title.replace("*", ""))
        found.set_references(self.references)
        for letter, caption in self.captions.items():
            found.add([caption], letter)
        return found

    def asked(self) -> list[Asked]:
        return list(dict.fromkeys(asked(found) for found in SCORE.finditer(self.answer)))

    def answered(self, value: Callable[[Asked], float]) -> str:
        return SCORE.sub(lambda found: score(value(asked(found))), self.answer)


def asked(found: re.Match[str]) -> Asked:
    key, letter, name, chosen = found.groups()
    if not name:
        return Asked(key, letter)
    metric = registry.get(key).metric
    return Asked(key, letter, ((metric, metric_options.make(metric, {name: chosen})),))


def files() -> list[Path]:
    return sorted(FOLDER.glob("*.md"))


def written(path: Path) -> dict[str, str]:
    """By title the parts of a file, as they are written; the first is its heading."""
    heading, *parts = re.split(r"^## (.+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = {title: body.strip() for title, body in zip(parts[::2], parts[1::2], strict=True)}
    return {"Title": heading.strip().removeprefix("# ")} | found


@cache
def lessons() -> tuple[Lesson, ...]:
    return tuple(map(_read, files()))


def find(identity: str) -> Lesson | None:
    return next((one for one in lessons() if one.id == identity), None)


def _read(path: Path) -> Lesson:
    parts = written(path)
    rows = re.findall(r"^- (\w+): (.+)$", parts["Open"], flags=re.MULTILINE)
    said = dict(rows)
    return Lesson(
        id=path.stem,
        title=parts["Title"],
        question=parts["Question"],
        answer=CHECK.sub("", parts["Answer"]),
        page=said["page"],
        view=said.get("view", ""),
        metric=said["metric"],
        references=tuple(text for name, text in rows if name == "reference"),
        captions={name: text for name, text in rows if name in ("A", "B", "C")},
        chosen=said.get("chosen", "A"),
        other=said.get("other", "B"),
    )
