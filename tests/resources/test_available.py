"""What a visitor may choose from: packaged, in the hub cache, in gensim's folder, named by whoever started the app."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from capeval_core.resources import available, doctor, hub
from capeval_core.resources.transformer import open_transformer
from capeval_core.resources.vectors import open_vectors
from tests.resources.test_transformer import small_tokenizer, tiny


def add_to_hub(folder: Path, name: str, kind: str) -> Path:
    """A small random model where the hub's tools would put it."""
    target = folder / f"models--{name.replace('/', '--')}" / "snapshots" / "1234"
    if not target.is_dir():
        (tiny(kind, target) / "tokenizer.json").write_text(small_tokenizer(), encoding="utf-8")
    return target


def names(found: tuple[available.Available, ...]) -> list[str]:
    return [one.name for one in found]


@pytest.mark.usefixtures("hub")
def test_what_is_packaged_is_always_there() -> None:
    assert names(available.vectors()) == ["glove-6b-50d", "spacy-md"]
    assert names(available.vectors(contextual=True)) == ["minilm", "glove-6b-50d", "spacy-md"]
    assert names(available.models()) == ["minilm"]
    assert all(one.name == one.value and one.words for one in available.vectors(contextual=True))


def test_the_hub_cache_is_listed_where_it_can_be_read(hub: Path) -> None:
    add_to_hub(hub, "distilbert/distilbert-base-uncased", "distilbert")
    half = add_to_hub(hub, "me/half", "bert")
    (half / "model.safetensors").rename(half / "pytorch_model.bin")
    (hub / "models--me--empty" / "snapshots").mkdir(parents=True)
    (hub / "datasets--me--captions" / "snapshots" / "1").mkdir(parents=True)
    found = available.models()
    assert names(found) == ["minilm", "distilbert/distilbert-base-uncased"]
    assert open_transformer(found[1].value).layers == available.depth(found[1].value) == 2
    assert available.depth("me/half") is None


def test_gensims_folder_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GENSIM_DATA_DIR", str(tmp_path))
    for path in ("tiny-2/tiny-2.gz", "other/readme.gz", "loose.gz"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(b"")
    assert names(available.vectors())[2:] == ["gensim:tiny-2"]


def test_vectors_named_in_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "all=mine"
    folder.mkdir()
    for name in ("a.txt", "b.vec.gz", "notes.md", "elmo_weights.hdf5"):
        (folder / name).write_text("dog 1 2\n", encoding="utf-8")
    one = folder / "a.txt"
    monkeypatch.setenv(available.VECTORS, os.pathsep.join([f"my words={one}", str(folder), "", "/no/such/file.txt"]))
    found = {one.name: one.value for one in available.vectors()}
    assert found == {
        "glove-6b-50d": "glove-6b-50d",
        "spacy-md": "spacy-md",
        "my words": str(one),
        "all=mine/a.txt": str(one),
        "all=mine/b.vec.gz": str(folder / "b.vec.gz"),
    }
    assert open_vectors(found["my words"]).known("dog")
    assert "all=mine/elmo_weights.hdf5" in names(available.vectors(contextual=True))


def test_models_named_in_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hub: Path) -> None:
    first, second = tiny("bert", tmp_path / "models" / "first"), tiny("roberta", tmp_path / "models" / "second")
    (tmp_path / "models" / "notes").mkdir()
    monkeypatch.setenv(available.MODELS, os.pathsep.join([f"minilm={first}", str(first.parent), str(second)]))
    found = {one.name: one.value for one in available.models()}
    assert found == {
        "minilm": "minilm",  # the packaged one keeps its name
        "minilm (2)": str(first),
        "models/first": str(first),
        "models/second": str(second),
        "second": str(second),
    }


def test_a_wrong_path_is_reported_without_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text("dog 1 2\n", encoding="utf-8")
    monkeypatch.setenv(available.VECTORS, f"good={tmp_path}{os.pathsep}bad={tmp_path / 'none.txt'}")
    good, bad = (one for one in doctor.examine() if one.where == f"${available.VECTORS}")
    assert (good.name, good.state, good.sound) == ("good", "1 found", True)
    assert (bad.name, bad.state, bad.sound) == ("bad", "missing", False)
    assert available.VECTORS in bad.fix
    assert str(tmp_path) not in repr((good, bad))


def test_a_broken_config_has_no_depth(tmp_path: Path, hub: Path) -> None:
    folder = add_to_hub(hub, "me/odd", "bert")
    for content in ("[]", "{", '{"num_hidden_layers": "two"}'):
        (folder / "config.json").write_text(content, encoding="utf-8")
        assert available.depth("me/odd") is None


def test_the_hubs_folder_follows_its_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    assert hub.cache_folder() == tmp_path / "hub"
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "other"))
    assert hub.cache_folder() == tmp_path / "other"
