"""Word vectors: the packaged ones, every kind of file by path, and what a wrong name or file says."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from capeval_core import InvalidInput, MissingResource
from capeval_core.resources import files
from capeval_core.resources.spacy_vectors import murmur
from capeval_core.resources.vectors import open_vectors

WORDS = ["dog", "cat", "café", "new_york"]
MATRIX = np.array([[1, 2, 3], [0.5, -1, 2], [0, 0, 1], [4, 5, 6]], dtype=np.float32)


def keyed() -> Any:
    models = pytest.importorskip("gensim.models")
    found = models.KeyedVectors(3)
    found.add_vectors(WORDS, MATRIX)
    return found


def text() -> str:
    return "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in zip(WORDS, MATRIX, strict=True))


def write(kind: str, folder: Path) -> Path:
    path = folder / kind
    if kind == "glove.txt":
        path.write_text(text(), encoding="utf-8")
    elif kind == "glove.txt.gz":
        path.write_bytes(gzip.compress(text().encode()))
    elif kind == "fasttext.vec":
        path.write_text(f"4 3\n{text()}".replace("\n", " \n"), encoding="utf-8")  # fastText ends lines with a space
    elif kind == "keyed.kv":
        keyed().save(str(path))
    elif kind == "apart.kv":
        keyed().save(str(path), separately=["vectors"])
    elif kind == "word2vec.bin.gz":
        keyed().save_word2vec_format(str(folder / "plain"), binary=True)
        path.write_bytes(gzip.compress((folder / "plain").read_bytes()))
    else:
        keyed().save_word2vec_format(str(path), binary=kind.endswith(".bin"))
    return path


KINDS = ["glove.txt", "glove.txt.gz", "fasttext.vec", "word2vec.txt", "word2vec.bin", "keyed.kv", "apart.kv"]
KINDS += ["word2vec.bin.gz"]


@pytest.mark.parametrize("kind", KINDS)
def test_reads_every_kind(kind: str, tmp_path: Path) -> None:
    path = write(kind, tmp_path)
    found = open_vectors(str(path))
    assert (found.name, found.dims) == (kind, 3)
    assert_array_equal(found.rows(WORDS[::-1]), MATRIX[::-1])
    assert found.known("café")
    assert not found.known("zebra")
    assert open_vectors(str(path)) is found
    assert isinstance(found.matrix, np.memmap) == (kind == "apart.kv")


@pytest.mark.parametrize("name", ["fasttext.bin", "fasttext.bin.gz"])
def test_fasttext_bin_is_known_by_its_magic_number(name: str, tmp_path: Path) -> None:
    models = pytest.importorskip("gensim.models")
    trained = models.FastText(
        [["dog", "cat"], ["dog", "runs"]], vector_size=5, min_count=1, epochs=1, bucket=50, seed=1, workers=1
    )
    plain = tmp_path / "fasttext.bin"
    models.fasttext.save_facebook_model(trained, str(plain))
    if name.endswith(".gz"):
        (tmp_path / name).write_bytes(gzip.compress(plain.read_bytes()))
    found = open_vectors(str(tmp_path / name))
    assert (found.name, found.dims, sorted(found.index)) == (name, 5, ["cat", "dog", "runs"])
    assert_allclose(found.rows(["dog", "cat"]), trained.wv[["dog", "cat"]], atol=1e-6)
    assert not found.known("dogs")  # in no vocabulary; its letters alone would give a vector
    broken = tmp_path / "broken.bin"
    broken.write_bytes(plain.read_bytes()[:60])
    with pytest.raises(InvalidInput, match="not a readable file of word vectors"):
        open_vectors(str(broken))


def test_spacy_vectors_are_spacys() -> None:
    from spacy.vocab import Vocab

    found = open_vectors("spacy-md")
    assert (found.name, found.dims, found.matrix.shape) == ("spacy-md", 300, (20_000, 300))
    assert isinstance(found.matrix, np.memmap)
    vocab = Vocab().from_disk(files.locate("spacy-md").parent)
    listed = list(found.index)
    assert len(listed) > 500_000
    chosen = [*listed[::997], "dog", "caf\u00e9", "\U0001f923"]
    assert all(map(vocab.has_vector, chosen))
    assert_array_equal(found.rows(chosen), [vocab.get_vector(word) for word in chosen])
    assert not any(map(vocab.has_vector, ("zzqxv", "a dog")))
    assert not any(map(found.known, ("zzqxv", "a dog", "", "\ud83d")))
    with pytest.raises(KeyError):
        found.index["zzqxv"]
    assert open_vectors("spacy-md") is found


@pytest.mark.parametrize(
    "word", ["d", "surfing", "skateboa", "skateboarder", "a" * 16, "caf\u00e9s and dogs", "\U0001f436"]
)
def test_hashes_are_spacys(word: str) -> None:
    from spacy.strings import StringStore

    assert murmur(word.encode()) == StringStore([word])[word]


@pytest.mark.parametrize("binary", [True, False])
def test_gensim_names_are_read_from_its_folder(binary: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GENSIM_DATA_DIR", str(tmp_path))
    name = f"tiny-{binary}"
    with pytest.raises(MissingResource, match=f"Fix: python -m capeval_core resources fetch gensim:{name}"):
        open_vectors(f"gensim:{name}")
    (tmp_path / name).mkdir()
    keyed().save_word2vec_format(str(tmp_path / "plain"), binary=binary)
    (tmp_path / name / f"{name}.gz").write_bytes(gzip.compress((tmp_path / "plain").read_bytes()))
    found = open_vectors(f"gensim:{name}")
    assert found.name == f"gensim:{name}"
    assert_array_equal(found.rows(WORDS), MATRIX)


def test_packaged_vectors() -> None:
    found = open_vectors("glove-6b-50d")
    assert (found.name, found.dims, len(found.index)) == ("glove-6b-50d", 50, 400_000)
    assert isinstance(found.matrix, np.memmap)
    assert found.rows([]).shape == (0, 50)
    assert found.rows(["the"])[0, :2] == pytest.approx([0.418, 0.24968])  # as in Stanford's glove.6B.50d.txt
    assert open_vectors("glove-6b-50d") is found


@pytest.mark.parametrize("name", ["glove-6b-50d", "spacy-md"])
def test_packaged_vectors_open_fast(name: str) -> None:
    code = (
        "import time; from capeval_core.resources.vectors import open_vectors; start = time.process_time();"
        f"open_vectors({name!r}); print(time.process_time() - start)"
    )
    command = [sys.executable, "-c", code]
    root = Path(files.__file__).parents[2]
    seconds = [
        float(subprocess.run(command, capture_output=True, text=True, check=True, cwd=root).stdout) for _ in range(2)
    ]
    assert min(seconds) < 0.8


def test_words_with_spaces_and_repeated_words(tmp_path: Path) -> None:
    path = tmp_path / "odd.txt"
    path.write_text("dog 1 2\n. . . 3 4\ndog 9 9\n\u2028 5 6\n", encoding="utf-8")
    found = open_vectors(str(path))
    assert list(found.index) == ["dog", ". . .", "\u2028"]
    assert_array_equal(found.rows(["dog", ". . .", "\u2028"]), [[1, 2], [3, 4], [5, 6]])


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    path.write_text("dog 1 2\n", encoding="utf-8")
    open_vectors(str(path))
    path.write_text("dog 3 4\n", encoding="utf-8")
    os.utime(path, ns=(1, 1))
    assert_array_equal(open_vectors(str(path)).rows(["dog"]), [[3, 4]])


@pytest.mark.parametrize("name", ["", "glove", "no/such/file.txt", "a\x00b", "."])
def test_a_wrong_name_says_what_is_expected(name: str) -> None:
    with pytest.raises(InvalidInput, match=r"no such word vectors.*expected glove-6b-50d"):
        open_vectors(name)


CONTENTS = {
    "empty.txt": b"",
    "header.vec": b"3 2\n",
    "ragged.txt": b"dog 1 2\ncat 1\n",
    "prose.txt": b"a dog runs\n",
    "one.txt": b"dog\n",
    "broken.bin": b"4 3\ndog ",
    "empty.bin": b"",
    "broken.kv": b"not a pickle",
    "broken.txt.gz": b"not gzip",
}


@pytest.mark.parametrize("name", CONTENTS)
def test_a_broken_file_is_named(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(CONTENTS[name])
    with pytest.raises(InvalidInput, match="not a readable file of word vectors"):
        open_vectors(str(tmp_path / name))


def test_another_kind_of_file(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text("dog,1\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="not a kind of word vectors"):
        open_vectors(str(tmp_path / "v.csv"))


def test_vectors_that_are_not_finite_and_words_without_one(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("dog 1 nan\ncat 1 2\n", encoding="utf-8")
    found = open_vectors(str(tmp_path / "v.txt"))
    with pytest.raises(InvalidInput, match=r"the vector of 'dog'.*finite"):
        found.rows(["cat", "dog"])
    with pytest.raises(InvalidInput, match="no vector for 'zebra'"):
        found.rows(["zebra"])


def test_missing_package_is_a_missing_resource(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPEVAL_GLOVE_6B_50D", "/no/such/file.npy")
    files.locate.cache_clear()
    with pytest.raises(MissingResource, match="GloVe"):
        open_vectors("glove-6b-50d")
    files.locate.cache_clear()
