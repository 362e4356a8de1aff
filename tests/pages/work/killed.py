"""A process that saves on and on until it is killed: `python -m tests.pages.work.killed FOLDER ID`.

It prints the number of every save that has returned.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pages.work.store import Store


def main(folder: str, identity: str) -> None:
    store = Store(Path(folder))
    found = store.open(identity)
    revision = found.revision if found else 0
    while True:
        digest = store.put(f"image {revision + 1}".encode())
        saved = store.save(identity, revision, {"ws": f"{revision + 1} {digest}"})
        assert saved == revision + 1
        revision = saved
        print(revision, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
