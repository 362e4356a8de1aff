"""The one door for files from visitors: sized by kind before they are read, called by the visitor's own names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from streamlit.runtime.uploaded_file_manager import UploadedFile

from capeval_core import InvalidInput, registry
from capeval_core.figures.words import clean
from capeval_core.io import images, judged_rows, judgements, readers, sources
from capeval_core.io.dataset import DataSet
from capeval_core.io.judgements import Judgements
from capeval_core.io.limits import APP, megabytes
from capeval_core.io.workspace import StoredWorkspace, read_zip

File = UploadedFile | tuple[str, bytes]  # its name and content
MAX_IMAGE = APP.image
LONGEST = 80  # characters of a name


def read_dataset(files: Sequence[File]) -> DataSet:
    """All files together; a COCO annotation file among them gives the references of those that have none."""
    given = _sources(files)
    if judgements.has_pairs(given[0], APP):
        found = judgements.read_pairs(given, limits=APP, named=True)
        return replace(found.data, pairs=found.pairs)
    return readers.read_dataset(given, keys=registry.keys(), limits=APP, named=True)


def read_ratings(files: Sequence[File], data: DataSet) -> Judgements:
    """Ratings or pairs of this data set's captions, one file per rater; those it has itself stay."""
    return judged_rows.join(Judgements(data, data.pairs), _sources(files), APP)


def bare(data: DataSet) -> DataSet:
    """Without anybody's ratings: what a file says is then all there is."""
    return replace(data, ratings=None, pairs=None)


def _sources(files: Sequence[File]) -> list[sources.Source]:
    if not files or len(files) > APP.files:
        raise InvalidInput("files to load", expected=f"1 to {APP.files}", found=str(len(files)))
    found: dict[str, sources.Source] = {}
    for file in files:
        name = name_of(file)
        source = sources.of_bytes(name, b"")
        content = _content(file, name, APP.image if source.kind in sources.PICTURES else APP.upload)
        if name in found:
            raise InvalidInput(f"{name}: two files have this name", fix="rename one: a captioner is called by it")
        found[name] = sources.of_bytes(name, content)
    return list(found.values())


def read_image(file: File) -> bytes:
    """The picture upright and small, as a fresh JPEG or PNG."""
    return images.read_image(_content(file, "this image", APP.image))


def read_workspace(file: File) -> StoredWorkspace:
    """Its image is ready to show."""
    stored = read_zip(_content(file, "this workspace", APP.workspace))
    return stored if stored.image is None else replace(stored, image=images.read_image(stored.image))


def _content(file: File, name: str, most: int) -> bytes:
    """Nothing too large is read. The browser's own limit is only a courtesy."""
    size = len(file[1]) if isinstance(file, tuple) else file.size
    if size > most:
        raise InvalidInput(f"{name}: too large", expected=f"at most {megabytes(most)}", found=megabytes(size))
    return content_of(file)


def content_of(file: File) -> bytes:
    return file[1] if isinstance(file, tuple) else file.getvalue()


def name_of(file: File) -> str:
    """Without folders, control codes and half characters; a long one keeps its end, which tells the kind."""
    given = file[0] if isinstance(file, tuple) else file.name
    last = PurePosixPath(given.replace("\\", "/")).name
    name = " ".join(clean(last).split()) or "the file"
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 25]}…{name[-24:]}"
