"""A rating session: captions one image at a time, shuffled and unnamed; answers, skips, the way back.

Nothing here knows of widgets. A task is a caption to rate (one row of the data set) or two to choose from; a screen is
what stands on the page at once: captions of one image, or one pair.
"""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from capeval_core.errors import InvalidInput
from capeval_core.io.dataset import DataSet, Pairs
from capeval_core.io.judgements import NO_GROUP, Judgements

SCALE, BETTER = "1 to 5", "Better of two"
MODES = (SCALE, BETTER)
RATINGS = range(1, 6)
AT_ONCE = 8  # captions of one image on one screen
ALL_PAIRS = 4  # captions: so many are all paired with each other, more only with their neighbours in a circle
LONGEST_NAME = 60

Task = tuple[int, ...]  # one row, or two
Screen = tuple[Task, ...]


@dataclass
class Rating:
    data: DataSet = field(default_factory=lambda: DataSet("", ()))
    rater: str = "you"
    mode: str = SCALE
    answers: dict[Task, str] = field(default_factory=dict)  # "1" to "5"; "first", "second", "tie"
    skipped: set[Task] = field(default_factory=set)
    done: list[Task] = field(default_factory=list)  # in the order they were answered or skipped
    revealed: bool = False
    _screens: dict[str, list[Screen]] = field(default_factory=dict)

    def kept(self) -> dict[str, Any]:
        """As plain data, for the session's store; the captions are kept with the data set."""
        answers = [[list(task), value] for task, value in self.answers.items()]
        parts = {name: [list(task) for task in getattr(self, name)] for name in ("done", "skipped")}
        return {"rater": self.rater, "mode": self.mode, "revealed": self.revealed, "answers": answers, **parts}

    @classmethod
    def found(cls, kept: Mapping[str, Any]) -> Rating:
        """What `kept` gave; it still needs its captions."""
        answers = {tuple(task): str(value) for task, value in kept["answers"]}
        skipped, done = {tuple(task) for task in kept["skipped"]}, [tuple(task) for task in kept["done"]]
        mode = kept["mode"] if kept["mode"] in MODES else SCALE
        return cls(
            rater=str(kept["rater"]),
            mode=mode,
            answers=answers,
            skipped=skipped,
            done=done,
            revealed=bool(kept["revealed"]),
        )

    @property
    def screens(self) -> list[Screen]:
        """The same for a data set and a rater's name: whoever goes on later sees the same order again."""
        if self.mode not in self._screens:
            order = random.Random(self.data.digest)
            images = list(self.data.images_rows)
            order.shuffle(images)
            own = random.Random(f"{self.data.digest} {self.rater}")
            self._screens[self.mode] = [screen for image in images for screen in self._of_image(image, own)]
        return self._screens[self.mode]

    def _of_image(self, image: str, order: random.Random) -> Iterator[Screen]:
        rows = list(self.data.images_rows[image])
        order.shuffle(rows)
        if self.mode == SCALE:
            for start in range(0, len(rows), AT_ONCE):
                yield tuple((row,) for row in rows[start : start + AT_ONCE])
            return
        for pair in _pairs(rows):
            if self.data.items[pair[0]].candidate != self.data.items[pair[1]].candidate:
                yield (pair if order.random() < 0.5 else pair[::-1],)

    @property
    def place(self) -> int:
        """The screen with the first task that is neither answered nor skipped; after the last one, their number."""
        for place, screen in enumerate(self.screens):
            if any(self._open(task) for task in screen):
                return place
        return len(self.screens)

    @property
    def task(self) -> Task | None:
        """What the next answer is for."""
        place = self.place
        found = self.screens[place] if place < len(self.screens) else ()
        return next((task for task in found if self._open(task)), None)

    def _open(self, task: Task) -> bool:
        return task not in self.answers and task not in self.skipped

    @property
    def answered(self) -> list[Task]:
        """Of the present mode, in the order of the screens."""
        return [task for screen in self.screens for task in screen if task in self.answers]

    @property
    def images(self) -> int:
        """How many have an answer."""
        return len({self.data.items[task[0]].image_id for task in self.answered})

    def answer(self, task: Task, value: str) -> None:
        """Nothing where the task is not on the screens, or the value is none."""
        known = [str(one) for one in RATINGS] if self.mode == SCALE else ["first", "second", "tie"]
        if value in known and self._known(task):
            self.skipped.discard(task)
            self.answers[task] = value
            self._note(task)

    def skip(self, task: Task) -> None:
        if self._known(task) and task not in self.answers:
            self.skipped.add(task)
            self._note(task)

    def undo(self) -> None:
        """The last answer or skip of this mode is taken back."""
        for task in reversed(self.done):
            if self._known(task):
                self.done.remove(task)
                self.answers.pop(task, None)
                self.skipped.discard(task)
                return

    def _known(self, task: Task) -> bool:
        width = 1 if self.mode == SCALE else 2
        return len(task) == width and any(task in screen for screen in self.screens)

    def _note(self, task: Task) -> None:
        self.done = [*(one for one in self.done if one != task), task]

    @property
    def can_undo(self) -> bool:
        return any(len(task) == (1 if self.mode == SCALE else 2) for task in self.done)

    def judgements(self) -> Judgements:
        """The data set with these answers and no others."""
        bare = replace(self.data, ratings=None, pairs=None)
        tasks = self.answered
        if self.mode == BETTER:
            winners = tuple(self.answers[task] for task in tasks)
            pairs = Pairs(
                tuple(task[0] for task in tasks), tuple(task[1] for task in tasks), winners, (NO_GROUP,) * len(tasks)
            )
            return Judgements(bare, pairs)
        given = {task[0]: float(self.answers[task]) for task in tasks}
        ratings = tuple((given.get(row, math.nan),) for row in range(len(self.data.items)))
        return Judgements(replace(bare, ratings=ratings))

    def to_jsonl(self) -> str:
        """A file that `judge` and this page read again, one row per answer."""
        return "".join(json.dumps(self._row(task), ensure_ascii=False) + "\n" for task in self.answered)

    def _row(self, task: Task) -> dict[str, object]:
        items = [self.data.items[row] for row in task]
        image = {"image_id": items[0].image_id}
        if self.mode == SCALE:
            named = {"system": items[0].system, "candidate": items[0].candidate}
            return image | named | {"rating": int(self.answers[task]), "rater": self.rater}
        two = {"first": items[0].candidate, "second": items[1].candidate}
        return (
            image | two | {"references": list(items[0].references), "winner": self.answers[task], "rater": self.rater}
        )

    def take(self, found: Judgements) -> int:
        """Answers from a file, which go before those given here; how many there are. The mode follows the file."""
        given = _pair_answers(found.pairs) if found.pairs is not None else _row_answers(found)
        self.mode = BETTER if found.pairs is not None else SCALE
        known = {task for screen in self.screens for task in screen}
        for task, value in given.items():
            turned = {"first": "second", "second": "first"}.get(value, value)
            for one, said in ((task, value), (task[::-1], turned)):
                if one in known:
                    self.answers[one] = said
                    self.skipped.discard(one)
                    self._note(one)
                    break
        self.revealed = False
        return len(given)


def _pairs(rows: list[int]) -> list[tuple[int, int]]:
    if len(rows) <= ALL_PAIRS:
        return list(itertools.combinations(rows, 2))
    return list(zip(rows, [*rows[1:], rows[0]], strict=True))


def _row_answers(found: Judgements) -> dict[Task, str]:
    given: dict[Task, str] = {}
    for row, ratings in enumerate(found.data.ratings or ()):
        known = [value for value in ratings if not math.isnan(value)]
        if known and known[0] not in RATINGS:
            raise InvalidInput("field rating", expected="a whole number from 1 to 5", found=f"{known[0]:g}")
        if known:
            given[row,] = str(int(known[0]))
    return given


def _pair_answers(pairs: Pairs) -> dict[Task, str]:
    rows = zip(pairs.first, pairs.second, strict=True)
    return dict(zip(rows, pairs.winners, strict=True))
