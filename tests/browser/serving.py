"""A server of the app for tests: where it is, what it wrote, what it cost."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
WRONG = re.compile(r"Traceback|encountered an error|Uncaught|\bERROR\b|\bCRITICAL\b")
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Server:
    url: str
    command: list[str]
    log: Path
    environment: dict[str, str] = field(default_factory=dict)  # beside the tests' own
    process: subprocess.Popen[bytes] = field(init=False)
    read: int = 0  # characters of the log that were looked at

    def __post_init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Until it answers."""
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self.command, cwd=ROOT, stdout=output, stderr=output, env=os.environ | self.environment
            )
        try:
            _await(self)
        except RuntimeError:
            self.kill()
            raise

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:  # in the middle of loading a model
            self.kill()

    def faults(self) -> str:
        """What it wrote since the last look, if anything of that is an error."""
        text = self.log.read_text(encoding="utf-8", errors="replace")
        new, self.read = text[self.read :], len(text)
        return new if WRONG.search(new) else ""

    def processor_seconds(self) -> float:
        """What it has computed so far; other work on the machine does not count."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


@contextmanager
def serve(folder: Path, script: str = "app.py", **environment: str) -> Iterator[Server]:
    """The app (or another script) on a free port; its log goes into the folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tests.browser.server", script, "--server.port", str(port)]
    server = Server(f"http://localhost:{port}", command, folder / f"server-{port}.log", environment)
    try:
        yield server
    finally:
        server.end()


def _await(server: Server) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=1).read()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"the app did not start: {server.log.read_text()}")
