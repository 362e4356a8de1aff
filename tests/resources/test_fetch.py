"""Downloads with the network replaced: what is asked for, what is kept, and what a failure says."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from numpy.testing import assert_array_equal

from capeval_core import InvalidInput, MissingResource
from capeval_core.resources import fetch as fetching
from capeval_core.resources.fetch import fetch
from capeval_core.resources.hub import NEEDED
from capeval_core.resources.vectors import open_vectors


@pytest.fixture(autouse=True)
def empty_caches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("GENSIM_DATA_DIR", str(tmp_path / "gensim"))


class Hub:
    """Stands for huggingface_hub.snapshot_download."""

    def __init__(self, folder: Path, offers: Sequence[str] = NEEDED) -> None:
        self.folder, self.offers = folder, offers
        self.asked: list[tuple[str, list[str]]] = []

    def __call__(self, repo_id: str, *, allow_patterns: list[str]) -> str:
        self.asked.append((repo_id, allow_patterns))
        folder = self.folder / f"models--{repo_id.replace('/', '--')}" / "snapshots" / "1"
        folder.mkdir(parents=True)
        for name in self.offers:
            (folder / name).write_text("{}", encoding="utf-8")
        return str(folder)


@pytest.mark.parametrize(
    ("name", "repository"),
    [
        ("distilroberta-base", "distilbert/distilroberta-base"),
        ("distilbert-base-uncased", "distilbert/distilbert-base-uncased"),
        ("someone/some-model", "someone/some-model"),
    ],
)
def test_a_model_is_fetched_once_without_pickles(
    name: str, repository: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = Hub(tmp_path / "hub")
    monkeypatch.setattr("huggingface_hub.snapshot_download", hub)
    folder = fetch(name)
    assert (folder / "model.safetensors").is_file()
    assert fetch(name) == folder  # from the cache now
    ((asked, patterns),) = hub.asked
    assert asked == repository
    assert not any(Path(f"pytorch_model{end}").match(pattern) for end in (".bin", ".pt", ".py") for pattern in patterns)
    assert all(any(Path(part).match(pattern) for pattern in patterns) for part in NEEDED)


def test_a_model_without_safetensors_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.snapshot_download", Hub(tmp_path / "hub", ["config.json"]))
    with pytest.raises(
        MissingResource, match=r"lacks tokenizer.json, model.safetensors; found config.json\. Fix: choose"
    ):
        fetch("old/model")


def unreachable(*_: Any, **__: Any) -> Any:
    raise ConnectionError("Name or service\nnot known")


@pytest.mark.parametrize("name", ["distilroberta-base", "owner/model", "gensim:glove-wiki-gigaword-50"])
def test_no_network_is_one_clear_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.snapshot_download", unreachable)
    monkeypatch.setattr("gensim.downloader.info", unreachable)
    with pytest.raises(MissingResource) as caught:
        fetch(name)
    line = str(caught.value)
    assert line.startswith(
        f"{name} could not be downloaded; found ConnectionError: Name or service not known. Fix: check"
    )
    assert "\n" not in line


def test_vectors_are_fetched_once_and_their_code_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, asked = "tiny-vectors", []

    def load(wanted: str, return_path: bool) -> str:
        asked.append((wanted, return_path))
        folder = tmp_path / "gensim" / name
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text("raise SystemExit('ran')", encoding="utf-8")
        (folder / f"{name}.gz").write_bytes(gzip.compress(b"2 3\ndog 1 2 3\ncat 4 5 6\n"))
        return str(folder / f"{name}.gz")

    monkeypatch.setattr(
        "gensim.downloader.info", lambda name_only: {"models": [name, "__testing"], "corpora": ["wiki"]}
    )
    monkeypatch.setattr("gensim.downloader.load", load)
    with pytest.raises(MissingResource, match=f"resources fetch gensim:{name}"):
        open_vectors(f"gensim:{name}")
    assert fetch(f"gensim:{name}") == fetch(f"gensim:{name}") == tmp_path / "gensim" / name / f"{name}.gz"
    assert asked == [(name, True)]
    found = open_vectors(f"gensim:{name}")
    assert (found.name, found.dims) == (f"gensim:{name}", 3)
    assert_array_equal(found.rows(["cat"]), [[4, 5, 6]])
    with pytest.raises(InvalidInput, match=r"gensim offers no word vectors 'wiki'; expected one of tiny-vectors$"):
        fetch("gensim:wiki")


@pytest.mark.parametrize("name", ["", "word2vec", "a/b/c", "/", "owner/", "gensim:", "gensim:../x", "gensim:a/b"])
def test_a_wrong_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "_fetch_model", unreachable)
    with pytest.raises(InvalidInput, match="expected"):
        fetch(name)
