"""Where visitors' work is kept: an SQLite file, and beside it the files it names, each called by its content's digest.

A session is found by its id only. Every save counts its revision up; who saves with an older one has been overtaken and
is told so. What was not used for a week goes, and the least recently used where there is too much. Everything is
readable by the server's own user only. A process that is killed loses nothing that `save` has returned for: the log is
written ahead (WAL), and a file is whole before a row names it.
"""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from capeval_core import CapEvalError

SCHEMA = 1
DAYS = 7
MOST = 2_000_000_000  # bytes of all sessions
MOST_EACH = 500_000_000  # bytes of one session's data set
WAITS = 0.5  # seconds for another process that writes
TIDY_EVERY = 600.0  # seconds
YOUNG = 3_600.0  # seconds: a file of this age may belong to a save that is still on its way
DIGEST = re.compile(r"\b[0-9a-f]{64}\b")
TABLES = """
CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, revision INTEGER NOT NULL, used REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS parts (
  session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE, name TEXT NOT NULL, content TEXT NOT NULL,
  PRIMARY KEY (session, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (
  session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE, part TEXT NOT NULL, digest TEXT NOT NULL,
  size INTEGER NOT NULL, PRIMARY KEY (session, part, digest)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_use ON sessions (used);
CREATE INDEX IF NOT EXISTS by_digest ON files (digest);
"""
SIZE = """SELECT (SELECT COALESCE(SUM(LENGTH(CAST(content AS BLOB))), 0) FROM parts)
  + (SELECT COALESCE(SUM(size), 0) FROM (SELECT MAX(size) AS size FROM files GROUP BY digest))"""


class StoreFailed(CapEvalError):
    """Nothing can be kept; says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Session:
    revision: int
    parts: dict[str, str]


class Store:
    def __init__(self, folder: Path, most: int = MOST, days: float = DAYS) -> None:
        self.folder, self.most, self.days = folder, most, days
        self._path, self._files = folder / "sessions.db", folder / "files"
        self._lock = threading.Lock()
        self._tidied = -TIDY_EVERY
        self._on_its_way: set[str] = set()  # files that were put and are about to be named
        with self._failing():
            for one in (folder, self._files):
                one.mkdir(mode=0o700, parents=True, exist_ok=True)
                one.chmod(0o700)
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
            self._path.chmod(0o600)  # SQLite gives its log the same rights
            self._db = sqlite3.connect(self._path, timeout=WAITS, isolation_level=None, check_same_thread=False)
            self._prepare()

    def _prepare(self) -> None:
        (found,) = self._db.execute("PRAGMA user_version").fetchone()
        if found not in (0, SCHEMA):
            raise StoreFailed(
                f"{self._path} was made by another version of CapEval",
                expected=f"version {SCHEMA}", found=str(found), fix="move the file away",
            )  # fmt: skip
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON", "secure_delete = ON"):
            self._db.execute(f"PRAGMA {pragma}")
        self._db.executescript(TABLES + f"PRAGMA user_version = {SCHEMA};")
        (sound,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
        if sound != "ok":
            raise sqlite3.DatabaseError(sound)

    def open(self, identity: str) -> Session | None:
        with self._transaction() as db:
            rows = db.execute("SELECT revision FROM sessions WHERE id = ?", (identity,)).fetchall()
            if not rows:
                return None
            db.execute("UPDATE sessions SET used = ? WHERE id = ?", (time.time(), identity))
            parts = db.execute("SELECT name, content FROM parts WHERE session = ?", (identity,)).fetchall()
            return Session(rows[0][0], dict(parts))

    def save(self, identity: str, revision: int, parts: Mapping[str, str]) -> int | None:
        """The parts that have changed since `revision` (0: a new session); the new revision. None: somebody else has
        saved since then, or the session is no longer there; nothing was written."""
        with self._transaction() as db:
            now = time.time()
            if revision:
                said = "UPDATE sessions SET revision = revision + 1, used = ? WHERE id = ? AND revision = ?"
                if db.execute(said, (now, identity, revision)).rowcount == 0:
                    return None
            else:
                db.execute("INSERT INTO sessions VALUES (?, 1, ?)", (identity, now))
            before = self._names_of(identity)
            for name, content in parts.items():
                db.execute("INSERT OR REPLACE INTO parts VALUES (?, ?, ?)", (identity, name, content))
                db.execute("DELETE FROM files WHERE session = ? AND part = ?", (identity, name))
                rows = [(identity, name, digest, size) for digest, size in self._named(content).items()]
                db.executemany("INSERT INTO files VALUES (?, ?, ?, ?)", rows)
            now_named = self._names_of(identity)
            self._on_its_way -= now_named
            idle = self._idle(before - now_named)
        self._unlink(idle)
        if time.monotonic() - self._tidied > TIDY_EVERY:
            self.tidy()
        return revision + 1

    def put(self, content: bytes) -> str:
        """A file to be named by a part; its digest."""
        digest = hashlib.sha256(content).hexdigest()
        place = self._place(digest)
        self._on_its_way.add(digest)
        with self._failing():
            if self.file(digest) is not None:
                os.utime(place)  # it is wanted again
                return digest
            handle, name = tempfile.mkstemp(dir=self._files)  # readable by this user only
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(content)
                os.replace(name, place)
            except OSError:
                os.unlink(name)
                raise
        if len(content) > self.most // 20:
            self._tidied = -TIDY_EVERY  # with the next save
        return digest

    def file(self, digest: str) -> bytes | None:
        """Whole and unchanged, or none."""
        try:
            content = self._place(digest).read_bytes()
        except (OSError, ValueError):
            return None
        return content if hashlib.sha256(content).hexdigest() == digest else None

    def forget(self, identity: str) -> None:
        """The session, and the files that nobody else's work names."""
        with self._transaction() as db:
            before = self._names_of(identity)
            db.execute("DELETE FROM sessions WHERE id = ?", (identity,))
            idle = self._idle(before)
        with self._failing(), self._lock:
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the log would still hold it
        self._unlink(idle)

    def tidy(self) -> None:
        """What is too old or too much goes; then the files that nothing names."""
        self._tidied = time.monotonic()
        with self._transaction() as db:
            db.execute("DELETE FROM sessions WHERE used < ?", (time.time() - self.days * 86_400,))
            oldest = [row[0] for row in db.execute("SELECT id FROM sessions ORDER BY used")][:-1]
            while oldest and db.execute(SIZE).fetchone()[0] > self.most:
                db.execute("DELETE FROM sessions WHERE id = ?", (oldest.pop(0),))
            named = {row[0] for row in db.execute("SELECT DISTINCT digest FROM files")}
        with self._failing():
            for file in self._files.iterdir():
                if file.name not in named and time.time() - file.stat().st_mtime > YOUNG:
                    file.unlink(missing_ok=True)

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def _names_of(self, identity: str) -> set[str]:
        return {row[0] for row in self._db.execute("SELECT digest FROM files WHERE session = ?", (identity,))}

    def _idle(self, digests: set[str]) -> set[str]:
        """Of these files the ones that nobody's work names."""
        asked = "SELECT 1 FROM files WHERE digest = ?"
        named = {digest for digest in digests if self._db.execute(asked, (digest,)).fetchone()}
        return digests - named - self._on_its_way

    def _unlink(self, digests: set[str]) -> None:
        with self._failing():
            for digest in digests:
                self._place(digest).unlink(missing_ok=True)

    def _named(self, content: str) -> dict[str, int]:
        """The files whose digests stand in it, with their sizes."""
        places = {digest: self._place(digest) for digest in DIGEST.findall(content)}
        return {digest: place.stat().st_size for digest, place in places.items() if place.exists()}

    def _place(self, digest: str) -> Path:
        return self._files / f"{int(digest, 16):064x}"  # never a path that somebody made up

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing, and one at a time."""
        with self._failing(), self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:  # full, read-only, locked
            raise self._failed(str(error), f"make room and rights in {self.folder}") from error
        except sqlite3.DatabaseError as error:  # damaged
            raise self._failed(str(error), f"move {self._path} away") from error
        except OSError as error:
            reason = error.strerror or str(error)
            raise self._failed(reason, f"make room and rights in {self.folder}") from error

    def _failed(self, found: str, fix: str) -> StoreFailed:
        other = f"{fix}, or set CAPEVAL_SESSIONS to another folder, or to off"
        return StoreFailed("Your work cannot be kept on this machine", found=found, fix=other)
