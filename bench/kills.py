"""Kills a run of 200,000 captions ten times, at random moments: the main process or a worker. Both engines.

After each kill of the main process the same command is started again. At the end its files must be those of a run that
nobody disturbed, byte for byte, and no process, no temporary file and no folder of parts may be left.

    python -m bench.kills [CAPTIONS [KILLS]]     200000 10
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.scale import DATA, ROOT, captions, command, family, write_varied

GONE_WITHIN = 90.0  # seconds: agents of Ray's own look about once a minute whether they are still needed
WORKER = {"local": b"spawn_main", "ray": b"ray::_Actor"}


def workers(pid: int, engine: str) -> list[int]:
    found = []
    for one in family(pid):
        try:
            if WORKER[engine] in Path(f"/proc/{one}/cmdline").read_bytes():
                found.append(one)
        except OSError:  # it has just ended
            continue
    return found


def start(source: Path, folder: Path, engine: str) -> subprocess.Popen[bytes]:
    folder.mkdir(exist_ok=True)
    given = [*command(source, folder), "--engine", engine]
    environment = {**os.environ, "TMPDIR": str(folder.parent / "temporary")}
    return subprocess.Popen(given, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)


def disturb(source: Path, folder: Path, engine: str, kills: int, longest: float) -> dict[str, int]:
    """How often which was killed."""
    chance, done = random.Random(engine), {"main process": 0, "worker": 0}
    seen: set[int] = set()
    process = start(source, folder, engine)
    while sum(done.values()) < kills:
        until = time.monotonic() + chance.uniform(0.5, longest)
        while process.poll() is None and time.monotonic() < until:
            seen.update(family(process.pid))
            time.sleep(0.1)
        if process.poll() is not None:
            sys.exit(f"{engine}: ended with {process.returncode} before it was killed {kills} times")
        found = workers(process.pid, engine)
        if chance.random() < 0.5 and found:
            os.kill(chance.choice(found), signal.SIGKILL)
            done["worker"] += 1
            continue
        process.kill()
        process.wait()
        done["main process"] += 1
        process = start(source, folder, engine)
    while process.poll() is None:
        seen.update(family(process.pid))
        time.sleep(0.1)
    if process.returncode:
        sys.exit(f"{engine}: ended with {process.returncode}")
    left, until = seen, time.monotonic() + GONE_WITHIN
    while left and time.monotonic() < until:
        left = {pid for pid in left if not _has_ended(pid)}
        time.sleep(0.5)
    if left:
        sys.exit(f"{engine}: left running: {sorted(left)}")
    return done


def _has_ended(pid: int) -> bool:
    """Gone, or a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def main(count: int, kills: int) -> None:
    if not DATA.exists():
        sys.exit(f"bench needs {DATA}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source, temporary = folder / "in.jsonl", folder / "temporary"
        temporary.mkdir()
        write_varied(captions(), count, source)
        begin = time.monotonic()
        undisturbed = start(source, folder / "expected", "local")
        if undisturbed.wait():
            sys.exit("the run that nobody disturbed failed")
        longest = (time.monotonic() - begin) / 2
        print(f"{count:,} captions, undisturbed: {2 * longest:.0f} s", flush=True)
        expected = {path.name: path.read_bytes() for path in (folder / "expected").iterdir()}
        for engine in ("local", "ray"):
            done = disturb(source, folder / engine, engine, kills, longest)
            found = {path.name: path.read_bytes() for path in (folder / engine).iterdir()}
            left = [path.name for path in temporary.iterdir() if path.name != "ray"]  # Ray keeps its logs there
            killed = ", ".join(f"{name} {times} times" for name, times in done.items())
            equal = "the same files" if found == expected else f"OTHER FILES: {sorted(found)}"
            print(f"{engine}: killed: {killed}; {equal}; left behind: {left or 'nothing'}", flush=True)


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:]]
    main(*(given + [200_000, 10][len(given) :]))
