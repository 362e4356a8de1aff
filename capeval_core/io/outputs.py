"""Where `score` writes its rows: one file, or a folder of parts.

`DIR/` is a folder of .jsonl files; `DIR.csv/` and `DIR.parquet/` are folders of those.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from capeval_core.errors import InvalidInput
from capeval_core.io import assembly, writers

_PART = re.compile(r"part-\d+\.(jsonl|csv|parquet)")


@dataclass(frozen=True)
class Output:
    path: Path
    kind: str  # of the file or of each part
    folder: bool = False

    @property
    def parts(self) -> Path:
        """The folder of a run that is not yet done."""
        return self.path.with_name(f"{self.path.name}.parts")

    @property
    def corpus(self) -> Path:
        """The corpus scores, beside it."""
        return self.path.with_suffix(".corpus.json")

    def take(self, parts: Sequence[Path], work: Path, keys: Sequence[str], *, every: bool) -> None:
        """The rows of the parts, made in the folder `work` and moved here at the end."""
        if not self.folder:
            whole = work / f"whole{self.kind}"
            assembly.join(parts, whole, self.kind, keys, every=every)
            whole.replace(self.path)
            return
        made = work / "folder"
        made.mkdir()
        for number, part in enumerate(parts):
            assembly.join([part], made / f"part-{number:05}{self.kind}", self.kind, keys, every=every)
        if self.path.exists():
            self.path.rename(work / "before")
        made.rename(self.path)


def read(given: str, fresh: bool = False) -> Output:
    """What --out names, checked before any work."""
    path = Path(given)
    if not given.endswith(("/", os.sep)):
        writers.check_target(path, writers.KINDS)
        return Output(path, path.suffix)
    kind = path.suffix if path.suffix in writers.KINDS else ".jsonl"
    if not path.absolute().parent.is_dir():
        raise InvalidInput(f"{path}: cannot be written", found="no such folder", fix="make the folder above it first")
    if path.exists() and not path.is_dir():
        raise InvalidInput(f"{path}: cannot be written", found="a file of that name")
    inside = [one.name for one in path.iterdir()] if path.exists() else []
    if inside and not (fresh and all(map(_PART.fullmatch, inside))):
        fix = "give another --out, or --fresh to replace parts that score wrote"
        raise InvalidInput(f"{path}: the folder is not empty", found=sorted(inside)[0], fix=fix)
    return Output(path, kind, folder=True)
