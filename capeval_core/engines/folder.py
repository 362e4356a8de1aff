"""The folder of a run beside its output, OUT.parts: what is scored so far, so that a run can go on where one stopped.

    manifest.json       what is scored by what: another run's parts are never mixed in
    lock                held while a run is at work; the system lets go of it however that run ends
    rows/00000.jsonl    the rows of a chunk, in input order; a chunk is done when its rows are there
    totals/00000.json   what the corpus scores are made of, written before its rows
    work/               files of this run only

Every file is written beside its place and renamed.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from capeval_core.engines.totals import Totals
from capeval_core.errors import InvalidInput
from capeval_core.version import VERSION

if os.name == "posix":
    import fcntl

AGAIN = "start again with --fresh, or give another --out"
WORDS = {
    "input": "the input",
    "metrics": "the metrics",
    "options": "the options",
    "chunk": "--chunk",
    "device": "--device",
}


class RunFolder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows, self._totals, self.work = path / "rows", path / "totals", path / "work"
        self._lock: IO[str] | None = None

    def open(self, fresh: bool) -> None:
        """The folder, locked; what an earlier run left unfinished is cleared away."""
        with writing(self.path):
            if self.path.exists() and any(self.path.iterdir()) and not (self.path / "lock").exists():
                raise InvalidInput(f"{self.path} is there and not a folder of ours", fix="give another --out")
            self.path.mkdir(exist_ok=True)
            self._take_lock()
            if fresh:
                self._clear()
            for folder in (self.rows, self._totals):
                folder.mkdir(exist_ok=True)
            shutil.rmtree(self.work, ignore_errors=True)
            self.work.mkdir()

    def _take_lock(self) -> None:
        lock = (self.path / "lock").open("w")
        if os.name == "posix":
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                lock.close()
                raise InvalidInput(
                    f"another run is writing to {self.path}", fix="wait for it, or give another --out"
                ) from error
        self._lock = lock

    def _clear(self) -> None:
        (self.path / "manifest.json").unlink(missing_ok=True)
        for folder in (self.rows, self._totals):
            shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def remove(self) -> None:
        """The run is done."""
        shutil.rmtree(self.path)
        self.close()

    def known(self) -> dict[str, Any] | None:
        path = self.path / "manifest.json"
        try:
            found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise InvalidInput(f"{path}: cannot be read", found=str(error), fix=AGAIN) from error
        return found

    def agree(self, manifest: Mapping[str, Any]) -> None:
        """Writes the manifest, or refuses to go on with what was scored otherwise."""
        manifest = json.loads(json.dumps({"capeval": VERSION, **manifest}))
        known = self.known()
        if known is None:
            self._write(self.path / "manifest.json", json.dumps(manifest, indent=1).encode())
            return
        if known.get("capeval") != VERSION:
            found = f"version {known.get('capeval')}"
            raise InvalidInput(f"{self.path} was begun by another version", expected=VERSION, found=found, fix=AGAIN)
        other = [words for name, words in WORDS.items() if known.get(name) != manifest[name]]
        if other:
            changed = " and ".join(other)
            raise InvalidInput(f"{self.path} was begun with something else: {changed} changed since", fix=AGAIN)

    def _write(self, path: Path, content: bytes) -> None:
        with writing(path):
            temporary = self.work / path.name
            with temporary.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)

    def put(self, number: int, lines: bytes, totals: Mapping[str, Any]) -> None:
        content = {"bytes": len(lines), "totals": totals}
        self._write(self._totals / f"{number:05}.json", json.dumps(content).encode())
        self._write(self.part(number), lines)

    def part(self, number: int) -> Path:
        return self.rows / f"{number:05}.jsonl"

    def done(self, number: int) -> Totals | None:
        """What a chunk adds to the corpus scores; None where it is not done, or its files are damaged."""
        try:
            content = json.loads((self._totals / f"{number:05}.json").read_text(encoding="utf-8"))
            whole = content["bytes"] == self.part(number).stat().st_size
            return Totals.from_json(content["totals"]) if whole else None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None


@contextmanager
def writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise InvalidInput(
            f"{path}: cannot be written",
            found=error.strerror or str(error),
            fix="make room and run the same command again: it goes on from here" if full else "",
        ) from error
