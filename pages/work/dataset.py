"""The data set every page sees: one per session, the samples until the visitor opens files of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from weakref import WeakValueDictionary

import streamlit as st

from capeval_core import CaptionItem, InvalidInput
from capeval_core.io.dataset import DataSet
from pages.work import keeping, samples, uploads
from pages.work.store import MOST_EACH

KEY = "data set"
HUMAN = "human"
# Visitors who open the same files share one copy. All that is shown of it is equal, so nobody sees anything of anybody
# else; what no session holds any more is dropped.
_SHARED: WeakValueDictionary[tuple[str, ...], DataSet] = WeakValueDictionary()
# By name and digest of each file: who comes back finds it read.
_READ: WeakValueDictionary[tuple[tuple[str, str], ...], DataSet] = WeakValueDictionary()
FILES = "files"
TOO_LARGE = "This data set is too large to be kept: after a reload of the page it has to be opened again."
LOST = "The data set that was open here is no longer kept; open its files again."


@dataclass
class Files:
    """The visitor's files as they are kept; none while the samples are open."""

    files: tuple[tuple[str, str], ...] = ()  # name, digest


@dataclass
class _Open:
    data: DataSet
    version: int = 0  # counts what was opened
    message: str = ""  # why the last files were not opened


def current() -> DataSet:
    return _open().data


def version() -> int:
    """Another number whenever something was opened or closed; `current().digest` tells whether it is other content."""
    return _open().version


def open_files(files: Sequence[uploads.File]) -> bool:
    """All files as one data set; what is wrong with them becomes the message, and the present one stays."""
    try:
        found = uploads.read_dataset(files)
    except InvalidInput as error:
        _open().message = str(error)
        return False
    _use(_shared(found))
    _keep(files)
    return True


def open_samples() -> None:
    _use(from_samples())
    _files().files = ()


def close() -> None:
    """Let go of the visitor's files: the samples are back."""
    open_samples()


def take_message() -> str:
    """What went wrong, once."""
    held = _open()
    message, held.message = held.message, ""
    return message


@cache
def from_samples() -> DataSet:
    """The sample scenes with a person among the captioners.

    As in the SMURF paper one person's caption is taken out of the references, and everybody, machine or not, is scored
    against the other four. Whose caption it is goes round from scene to scene: no one person stands for people.
    """
    items = []
    for number, scene in enumerate(samples.samples()):
        place = number % len(scene.references)
        others = scene.references[:place] + scene.references[place + 1 :]
        captions = {HUMAN: scene.references[place], **scene.candidates}
        items += [CaptionItem(scene.id, caption, others, system) for system, caption in captions.items()]
    return DataSet("the samples", tuple(items), images=_Scenes(), samples=True)


class _Scenes(Mapping[str, bytes]):
    """The scenes' images, read from their files when asked for."""

    def __getitem__(self, identifier: str) -> bytes:
        return {one.id: one.image for one in samples.samples()}[identifier].read_bytes()

    def __iter__(self) -> Iterator[str]:
        return (one.id for one in samples.samples())

    def __len__(self) -> int:
        return len(samples.samples())


def _open() -> _Open:
    if KEY not in st.session_state:
        found = _kept()
        if found is None and _files().files:
            keeping.kept().notice, _files().files = LOST, ()
        st.session_state[KEY] = _Open(found or from_samples())
    held: _Open = st.session_state[KEY]
    return held


def _shared(found: DataSet) -> DataSet:
    return _SHARED.setdefault((found.title, found.digest, *found.notes), found)


def _files() -> Files:
    return keeping.held(FILES, Files, lasting=True)


def _keep(files: Sequence[uploads.File]) -> None:
    """The files as they came: they are read again by the same door."""
    held, contents = _files(), [(uploads.name_of(one), uploads.content_of(one)) for one in files]
    held.files = ()
    if sum(len(content) for _, content in contents) > MOST_EACH:
        keeping.kept().notice = TOO_LARGE
        return
    kept = tuple((name, digest) for name, content in contents if (digest := keeping.put(content)))
    if len(kept) == len(contents):
        held.files = kept
        _READ[kept] = current()


def _kept() -> DataSet | None:
    """What was open when the visitor was last here."""
    wanted = _files().files
    if not wanted or wanted in _READ:
        return _READ.get(wanted)
    contents = [(name, content) for name, digest in wanted if (content := keeping.file(digest)) is not None]
    try:
        found = _shared(uploads.read_dataset(contents)) if len(contents) == len(wanted) else None
    except InvalidInput:
        found = None
    if found:
        _READ[wanted] = found
    return found


def _use(data: DataSet) -> None:
    held = _open()
    held.data, held.version, held.message = data, held.version + 1, ""
