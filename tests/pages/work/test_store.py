"""The store of visitors' work: what was saved is there, whoever kills, fills or damages what."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pages.work.store import Store, StoreFailed

ROOT = Path(__file__).parents[3]


def names(store: Store) -> set[str]:
    return {path.name for path in (store.folder / "files").iterdir()}


def sound(folder: Path) -> bool:
    with sqlite3.connect(folder / "sessions.db") as db:
        return bool(db.execute("PRAGMA integrity_check").fetchone() == ("ok",))


def test_what_was_saved_is_found_by_its_id_only(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.save("a", 0, {"ws": "one", "lab": "two"}) == 1
    assert store.save("a", 1, {"ws": "three"}) == 2
    found = Store(tmp_path).open("a")
    assert found
    assert (found.revision, found.parts) == (2, {"ws": "three", "lab": "two"})
    for other in ("", "b", "A", "%", "a' OR '1'='1"):
        assert store.open(other) is None


def test_who_has_not_seen_the_last_save_overwrites_nothing(tmp_path: Path) -> None:
    first, second = Store(tmp_path), Store(tmp_path)
    first.save("a", 0, {"ws": "one"})
    assert second.save("a", 1, {"ws": "two"}) == 2
    assert first.save("a", 1, {"ws": "three"}) is None
    assert first.save("gone", 4, {"ws": "three"}) is None
    found = first.open("a")
    assert found
    assert found.parts == {"ws": "two"}


def test_files_are_kept_once_by_content_and_read_back_whole_or_not_at_all(tmp_path: Path) -> None:
    store = Store(tmp_path)
    digest = store.put(b"an image")
    assert store.put(b"an image") == digest
    assert names(store) == {digest}
    assert store.file(digest) == b"an image"
    (tmp_path / "files" / digest).write_bytes(b"an imagx")
    assert store.file(digest) is None
    assert store.put(b"an image") == digest
    assert store.file(digest) == b"an image"
    for wrong in ("0" * 64, "../sessions.db", "", "x"):
        assert store.file(wrong) is None


def test_only_this_user_may_read(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        store = Store(tmp_path / "new")
        store.save("a", 0, {"ws": store.put(b"image")})
    finally:
        os.umask(old)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [store.folder, *store.folder.rglob("*")]}
    assert {"sessions.db", "sessions.db-wal", "files"} <= set(modes)
    for name, mode in modes.items():
        assert mode == (0o700 if name in ("new", "files") else 0o600), name


def test_forgetting_leaves_no_trace_but_what_others_have(tmp_path: Path) -> None:
    store = Store(tmp_path)
    mine, ours = store.put(b"mine"), store.put(b"ours")
    store.save("me", 0, {"ws": f"a most private caption {mine} {ours}"})
    store.save("you", 0, {"ws": ours})
    store.forget("me")
    assert store.open("me") is None
    assert names(store) == {ours}
    everything = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"private caption" not in everything
    assert store.open("you")


def test_a_file_that_was_closed_goes_at_once_unless_somebody_else_has_it(tmp_path: Path) -> None:
    store = Store(tmp_path)
    mine, ours = store.put(b"mine"), store.put(b"ours")
    store.save("me", 0, {"files": f"{mine} {ours}", "ws": "x"})
    store.save("you", 0, {"files": ours})
    store.save("me", 1, {"ws": "y"})
    assert names(store) == {mine, ours}
    store.save("me", 2, {"files": ""})
    assert names(store) == {ours}
    again = store.put(b"ours")  # a third is about to name it
    store.save("you", 1, {"files": ""})
    assert store.file(again) == b"ours"


def test_what_is_old_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path)
    digest = store.put(b"image")
    store.save("old", 0, {"ws": digest})
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 6.9 * 86_400)
    store.save("new", 0, {"ws": "x"})
    store.tidy()
    assert store.open("old")  # and is used again now
    monkeypatch.setattr(time, "time", lambda: now + 13.95 * 86_400)
    store.tidy()
    assert store.open("old") is None
    assert store.open("new") is None
    assert names(store) == set()


def test_where_there_is_too_much_the_least_recently_used_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path)
    ticks = iter(range(1_000))
    start = time.time()
    monkeypatch.setattr(time, "time", lambda: start + next(ticks))
    for number in range(5):
        store.save(str(number), 0, {"ws": store.put(bytes([number]) * 300)})
    store.open("0")
    store.most = 1_000
    store.tidy()
    assert [number for number in range(5) if store.open(str(number))] == [0, 4]
    store.save("large", 0, {"ws": "x" * 2_000})
    store.tidy()
    assert store.open("large")  # the last one stays, though it alone is too much
    assert store.open("4") is None


def test_a_file_that_is_being_saved_is_not_tidied_away(tmp_path: Path) -> None:
    store = Store(tmp_path)
    digest = store.put(b"on its way")
    store.tidy()
    assert store.file(digest) == b"on its way"
    os.utime(tmp_path / "files" / digest, (1, 1))
    store.tidy()
    assert store.file(digest) is None


def test_many_threads_save_at_once(tmp_path: Path) -> None:
    store = Store(tmp_path)
    wrong: list[object] = []

    def work(name: str) -> None:
        for revision in range(30):
            if store.save(name, revision, {"ws": f"{name} {revision}"}) != revision + 1:
                wrong.append((name, revision))

    threads = [threading.Thread(target=work, args=(str(number),)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert all(found.parts == {"ws": f"{n} 29"} for n in range(8) if (found := store.open(str(n))))


def test_a_killed_server_loses_nothing_that_was_saved(tmp_path: Path) -> None:
    """Ten times, in the middle of writing."""
    for _ in range(10):
        command = [sys.executable, "-m", "tests.pages.work.killed", str(tmp_path), "me"]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            told = [int(process.stdout.readline()) for _ in range(40)]
            process.kill()
            told += map(int, process.stdout.read().split())
        assert sound(tmp_path)
        store = Store(tmp_path)
        found = store.open("me")
        assert found
        number, digest = found.parts["ws"].split()
        assert found.revision == int(number)
        assert told[-1] <= int(number) <= told[-1] + 1  # a save that has returned is there; one more may be
        assert store.file(digest) == f"image {number}".encode()
        store.close()


def damaged(path: Path) -> None:
    path.write_bytes(b"no data base at all, but a text of some length" * 100)


def torn(path: Path) -> None:
    store = Store(path.parent)
    store.save("a", 0, {"ws": "x" * 100_000})
    store.close()
    content = bytearray(path.read_bytes())
    content[5_000:40_000] = os.urandom(35_000)
    path.write_bytes(content)


def other_version(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")


def other_tables(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE sessions (something TEXT)")


def folder_in_its_place(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("harm", [damaged, torn, other_version, other_tables, folder_in_its_place])
def test_a_store_that_cannot_be_used_says_so(tmp_path: Path, harm: object) -> None:
    assert callable(harm)
    harm(tmp_path / "sessions.db")
    with pytest.raises(StoreFailed, match=r"Fix: (make room|move)"):
        Store(tmp_path).save("b", 0, {"ws": "x"})


def test_a_full_disk_says_so_and_what_was_there_stays(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save("a", 0, {"ws": "before"})
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFailed, match=r"full.*CAPEVAL_SESSIONS"):
        store.save("a", 1, {"ws": "x" * 200_000})
    found = store.open("a")
    assert found
    assert found.parts == {"ws": "before"}
    assert store.save("a", 1, {"ws": "short"}) == 2


def test_a_folder_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreFailed, match="make room and rights"):
        Store(tmp_path / "file" / "sessions")


def test_a_save_takes_a_few_milliseconds(tmp_path: Path) -> None:
    """In processor time of this thread: what else the machine does makes no difference."""
    store = Store(tmp_path)
    store.save("a", 0, {"ws": "x"})
    before = time.thread_time()
    for revision in range(1, 101):
        store.save("a", revision, {"ws": "x" * 5_000, "history": "y" * 50_000})
    spent = (time.thread_time() - before) / 100
    print(f"a save cost {1000 * spent:.2f} ms")
    assert spent < 0.02
