"""Nothing lost: what a visitor works on is saved on every change, and found again by the id in the address.

A part of the session's state is a dataclass that a page gets from `held`; nothing is saved before one of them changes,
and a visitor who changes nothing has no id. `keep` writes what has changed since it was last called. Two tabs of one
address both go on: the one that saves later, without having seen what the other saved, goes on under an id of its own.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from capeval_core.resources.files import cache_folder
from capeval_core.version import VERSION
from pages.work import models, plain
from pages.work.store import DAYS, DIGEST, Store, StoreFailed

T = TypeVar("T")
KEY = "kept"
PARAMETER = "s"
SETTING = "CAPEVAL_SESSIONS"
OFF = "off"
TRY_AGAIN = 60.0  # seconds after the store could not be opened
UNKNOWN = (
    "There is nothing kept under this address: work is kept on one machine only, for {days} days after it was last "
    "used, until it is forgotten or the space is needed. This is a fresh start."
)
OVERTAKEN = (
    "This address is also open in another tab, and was changed there. Your work here goes on under an address of its "
    "own; nothing was overwritten."
)
FORGOTTEN = "Forgotten: what was kept of this session has been deleted from this machine. This is a fresh start."


@dataclass
class Kept:
    """What the store has of this session; `st.session_state["kept"]`."""

    id: str = ""  # none before something has changed
    told: str = ""  # the id that stands in the address
    revision: int = 0
    parts: dict[str, str] = field(default_factory=dict)  # by name: as last saved, or as it was when it was opened
    notice: str = ""  # what the visitor should know, until it was read
    failed: str = ""  # why nothing is kept at the moment
    digests: dict[int, tuple[bytes, str]] = field(default_factory=dict)  # of images, so that each is read once


def folder() -> Path | None:
    """Where sessions are kept; None: the setting says that nothing is."""
    chosen = os.environ.get(SETTING, "").strip()
    if chosen.lower() == OFF:
        return None
    return Path(chosen) if chosen else cache_folder() / "sessions"


class _Door:
    """The one store of this process, opened when it is first asked for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: tuple[Path, Store | StoreFailed, float] | None = None

    def __call__(self) -> Store | None:
        """None: nothing is to be kept. StoreFailed: it cannot be."""
        wanted = folder()
        if wanted is None:
            return None
        with self._lock:
            if self._found is None or self._found[0] != wanted or self._stale():
                self._found = wanted, self._open(wanted), time.monotonic()
            found = self._found[1]
        if isinstance(found, StoreFailed):
            raise found
        return found

    def _stale(self) -> bool:
        assert self._found
        return isinstance(self._found[1], StoreFailed) and time.monotonic() - self._found[2] > TRY_AGAIN

    def _open(self, wanted: Path) -> Store | StoreFailed:
        try:
            return Store(wanted)
        except StoreFailed as error:
            return error


store = _Door()


def kept() -> Kept:
    if KEY not in st.session_state:
        st.session_state[KEY] = _find(st.query_params.get(PARAMETER, ""))
    found: Kept = st.session_state[KEY]
    return found


def _find(identity: str) -> Kept:
    if not identity or folder() is None:
        return Kept(told=identity)
    try:
        door = store()
        session = door.open(identity) if door else None
    except StoreFailed as error:
        return Kept(told=identity, failed=str(error))
    if session is None:
        return Kept(told=identity, notice=UNKNOWN.format(days=DAYS))
    return Kept(identity, identity, session.revision, session.parts)


def held(name: str, make: Callable[[], T], *, lasting: bool = False, ready: bool = False) -> T:
    """The part of this name: the session's, else as it was kept, else a new one. What another version of CapEval kept
    is left alone, unless it is `lasting`: such a part must be able to live with any content that has its types.

    A visit is no change: a page may settle a new part until the run ends. One that is `ready` as `make` gives it is the
    visitor's to change at once; so must be what is first held in a fragment, where no run of the whole page ends."""
    if name not in st.session_state:
        found = make()
        content = _content(name, lasting)
        if content is not None:
            plain.fill(found, content, file)
        st.session_state[name] = found
    part: T = st.session_state[name]
    if not kept().parts.setdefault(name, "") and ready:
        kept().parts[name] = _text(part, lambda content: hashlib.sha256(content).hexdigest())
    return part


def has(name: str) -> bool:
    """Was it kept, by whatever version?"""
    return _content(name, lasting=True) is not None


def _content(name: str, lasting: bool) -> Any:
    try:
        version, content = json.loads(kept().parts.get(name) or "null") or (None, None)
    except (ValueError, TypeError):
        return None
    return content if lasting or version == VERSION else None


def keep(*, last: bool = False) -> None:
    """Saves what has changed. `last`: at the end of a run, when the tab may be gone and its successor at work."""
    if folder() is None or (last and not _connected()):
        return
    found = kept()
    try:
        door = store()
        assert door
        changed = _changed(found, door)
        if changed:
            _save(found, door, changed)
        found.failed = ""
    except StoreFailed as error:
        found.failed = str(error)


def _changed(found: Kept, door: Store) -> dict[str, str]:
    changed = {}
    for name, before in list(found.parts.items()):
        if name not in st.session_state:
            continue
        content = _written(name, found, door)
        if not before:  # opened just now: a visit is no change
            found.parts[name] = content
        elif content != before:
            changed[name] = content
    return changed


def _written(name: str, found: Kept, door: Store) -> str:
    def put(content: bytes) -> str:
        if id(content) not in found.digests:
            found.digests[id(content)] = content, door.put(content)
        return found.digests[id(content)][1]

    return _text(st.session_state[name], put)


def _text(part: Any, put: Callable[[bytes], str]) -> str:
    return json.dumps((VERSION, plain.written(part, put)), ensure_ascii=False, separators=(",", ":"))


def _save(found: Kept, door: Store, changed: dict[str, str]) -> None:
    revision = door.save(found.id, found.revision, changed) if found.id else None
    if revision is None:  # the first change, or one that came too late: all of it, under an id of its own
        found.digests.clear()  # its files may be gone too
        everything = {name: content for name, content in found.parts.items() if content}
        everything |= {name: _written(name, found, door) for name in everything if name in st.session_state}
        identity = secrets.token_urlsafe(24)
        revision = door.save(identity, 0, everything | changed)
        assert revision
        found.id, found.notice = identity, OVERTAKEN if found.id else found.notice
    found.revision = revision
    found.parts |= changed
    named = {name: one for name, one in found.digests.items() if any(one[1] in text for text in found.parts.values())}
    found.digests = named  # of the others the store has no file any more


def file(digest: str) -> bytes | None:
    try:
        door = store()
    except StoreFailed:
        return None
    return door.file(digest) if door else None


def put(content: bytes) -> str | None:
    """Keeps a file that a part will name; None where nothing is kept."""
    try:
        door = store()
        return door.put(content) if door else None
    except StoreFailed as error:
        kept().failed = str(error)
        return None


def forget() -> None:
    """Deletes what is kept of this session, and starts afresh."""
    found = kept()
    try:
        door = store()
        if door and found.id:
            named = DIGEST.findall("".join(found.parts.values()))
            door.forget(found.id)
            models.drop(digest for digest in named if door.file(digest) is None)  # nobody else's work names them
    except StoreFailed as error:
        found.failed = str(error)
        return
    for name in list(st.session_state):
        # Counters are no content, and the browser knows them; of the owner's jobs there may be some under way.
        if name != "owner" and not isinstance(st.session_state[name], int):
            del st.session_state[name]
    st.session_state[KEY] = Kept(told=found.told, notice=FORGOTTEN)


def _connected() -> bool:
    context = get_script_run_ctx()
    return context is None or not runtime.exists() or runtime.get_instance().is_active_session(context.session_id)
