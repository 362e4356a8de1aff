"""Undo and redo on Inspect: every change of captions, references or image is a step, whoever made it."""

from __future__ import annotations

from dataclasses import dataclass, field

from pages.work.workspace import Candidate, Workspace

MOST = 50  # steps
MOST_CHARACTERS = 200_000  # of all steps: they are saved with every change
MOST_BYTES = 20_000_000  # of their images


@dataclass(frozen=True, slots=True)
class Step:
    """What undo brings back. What the visitor looks at (view, metric, options) is no part of it."""

    references: tuple[str, ...]
    candidates: tuple[tuple[int, str, str], ...]  # id, captioner, caption
    title: str
    credit: str
    sample: str
    image_id: str
    image: bytes | None

    @property
    def characters(self) -> int:
        return sum(map(len, self.references)) + sum(len(one[1]) + len(one[2]) for one in self.candidates)


@dataclass
class History:
    past: list[Step] = field(default_factory=list)
    future: list[Step] = field(default_factory=list)

    def record(self, before: Step | None, ws: Workspace) -> Step:
        """To be called whenever something may have changed; `before` is what it gave last time."""
        now = taken(ws)
        if before is not None and before != now:
            self.past.append(before)
            self.future.clear()
            self._trim()
        return now

    def undo(self, ws: Workspace) -> Step:
        return _move(self.past, self.future, ws)

    def redo(self, ws: Workspace) -> Step:
        return _move(self.future, self.past, ws)

    def _trim(self) -> None:
        """The oldest go; the last one stays, however long."""
        del self.past[:-MOST]
        while len(self.past) > 1 and self._too_much():
            del self.past[0]

    def _too_much(self) -> bool:
        images = {id(step.image): len(step.image or b"") for step in self.past}
        characters = sum(step.characters for step in self.past)
        return characters > MOST_CHARACTERS or sum(images.values()) > MOST_BYTES


def taken(ws: Workspace) -> Step:
    candidates = tuple((one.id, one.system, one.caption) for one in ws.candidates)
    return Step(tuple(ws.references), candidates, ws.title, ws.credit, ws.sample, ws.image_id, ws.image)


def _move(source: list[Step], target: list[Step], ws: Workspace) -> Step:
    now = taken(ws)
    if not source:
        return now
    target.append(now)
    step = source.pop()
    ws.references = list(step.references)
    ws.candidates = [Candidate(*one) for one in step.candidates]
    ws.title, ws.credit, ws.sample = step.title, step.credit, step.sample
    ws.image_id, ws.image = step.image_id, step.image
    ws.next_id = max([ws.next_id, *(one.id + 1 for one in ws.candidates)])
    ws.settle()
    return step


def difference(old: Step, new: Step) -> str:
    """What a step changed, in words."""
    if old.image is not new.image and old.image != new.image:
        return "another image" if old.candidates and new.candidates else "image and captions"
    if old.references != new.references and old.candidates != new.candidates:
        return "references and candidates"
    if old.references != new.references:
        return _counted("reference", len(new.references) - len(old.references))
    return _counted("candidate", len(new.candidates) - len(old.candidates))


def _counted(noun: str, more: int) -> str:
    return f"a {noun} changed" if more == 0 else f"{noun}s added" if more > 0 else f"{noun}s removed"
