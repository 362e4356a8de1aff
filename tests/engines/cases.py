"""What tests of the engines share: captions that vary, a run in a process of its own that says how far it is."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from capeval_core.engines.folder import RunFolder
from capeval_core.engines.pool import Pool
from capeval_core.engines.runs import Done, Run, score
from capeval_core.engines.tasks import Setup
from capeval_core.io import outputs
from capeval_core.io.streams import Stream

ROOT = Path(__file__).parents[2]
WORDS = [
    "a",
    "the",
    "dog",
    "cat",
    "man",
    "woman",
    "red",
    "small",
    "runs",
    "sits",
    "on",
    "under",
    "table",
    "street",
    "with",
    "hat",
    "bicycle",
    "two",
    "green",
    "ball",
]
NGRAM = ("bleu_1", "bleu_2", "bleu_3", "bleu_4", "rouge_l", "cider")
OPTIONS = {"cider": {"idf": "corpus"}}


def write_captions(path: Path, count: int, systems: tuple[str, ...] = ("human", "m2")) -> Path:
    """Images by some captioners; one item in fifty has no references, one captioner misses some images."""
    chance = random.Random(count)

    def caption() -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(4, 12)))

    rows: list[dict[str, Any]] = []
    while len(rows) < count:
        image, references = f"image {len(rows)}", [caption() for _ in range(3)]
        for system in systems if chance.random() > 0.1 else systems[:1]:
            kept = references if chance.random() > 0.02 else []
            rows.append({"image_id": image, "system": system, "candidate": caption(), "references": kept})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows[:count]))
    return path


def job(source: Path, out: Path, start: Callable[[Setup], Pool], keys: tuple[str, ...] = NGRAM, chunk: int = 50) -> Run:
    setup = Setup(keys, OPTIONS, "cpu")
    output = outputs.read(str(out))
    return Run(Stream([str(source)]), setup, start, RunFolder(output.parts), output, output.corpus, chunk)


def run(source: Path, out: Path, start: Callable[[Setup], Pool], **settings: Any) -> Done:
    return score(job(source, out, start, **settings), lambda stage, done, total: None)


class Watched:
    """`python -m tests.engines.cases ENGINE SOURCE OUT`, which prints a line whenever it has got somewhere."""

    def __init__(self, engine: str, source: Path, out: Path) -> None:
        command = [sys.executable, "-m", "tests.engines.cases", engine, str(source), str(out)]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def lines(self) -> Iterator[str]:
        assert self._process.stdout is not None
        yield from self._process.stdout

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def end(self) -> tuple[int, str]:
        """Its code, and what it said on stderr."""
        _, said = self._process.communicate()
        return self._process.returncode, said


def children(pid: int) -> list[int]:
    """The workers of a run, the youngest last; not the process that looks after multiprocessing's resources."""
    found = []
    for child in map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
            found.append(child)
    return found


def main(engine: str, source: str, out: str) -> None:
    from capeval_core.engines.local import LocalPool

    def start(setup: Setup) -> Pool:
        if engine == "ray":
            from capeval_core.engines.ray import RayPool

            return RayPool(setup, 2, os.environ.get("TEST_RAY_ADDRESS"))
        return LocalPool(setup, 2)

    score(job(Path(source), Path(out), start), lambda stage, done, total: print(stage, done, total, flush=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
