"""I2CE's model file: what is read from it, and that a wrong, broken or hostile one is refused with a reason."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from capeval_core import CaptionItem, InvalidInput, MissingResource, evaluate, options
from capeval_core.resources import available, doctor, files, sentence_model, trained
from capeval_core.resources.sentence_model import BLOCK, LONGEST, SentenceModel
from capeval_core.resources.sentence_network import SentenceConfig, SentenceNetwork
from capeval_core.training.i2ce_files import export

WORDS = ("a", "dog", "runs", "on", "the", "beach", "cat")


def tiny_i2ce(path: Path) -> Path:
    """A model that has learned nothing."""
    torch.manual_seed(0)
    export(SentenceNetwork(SentenceConfig(len(WORDS) + 4, 5, 6)), WORDS, path, {"history": []})
    return path


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_i2ce(tmp_path_factory.mktemp("model") / "tiny.safetensors")


@pytest.fixture
def model(path: Path) -> SentenceModel:
    return sentence_model.load(path)


def parts(path: Path) -> tuple[dict[str, torch.Tensor], dict[str, str]]:
    with safe_open(path, "pt") as file:
        return load_file(path), file.metadata()


def test_a_vector_does_not_depend_on_its_company(model: SentenceModel) -> None:
    texts = [["a", "dog", "runs"], ["a", "cat", "runs"], ["the", "beach"], [], ["zzz"]]
    alone = [model.read([text])[0] for text in texts]
    crowd = [["a"] * (1 + number % 5) for number in range(3 * BLOCK)]
    together = model.read([*crowd[:70], *texts, *crowd[70:]])[70:75]
    assert np.array_equal(np.array(alone), together)
    assert not together[3].any()
    assert together[:3].all(axis=1).all()


def test_it_reads_as_the_network_does(model: SentenceModel) -> None:
    rows = torch.tensor([[4, 5, 6, 7], [8, 9, 0, 0]])
    expected = model.network.read(rows, torch.tensor([4, 2])).detach().numpy()
    found = model.read([["a", "dog", "runs", "on"], ["the", "beach"]])
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_long_captions_are_cut_and_unknown_words_are_alike(model: SentenceModel) -> None:
    long = ["dog"] * LONGEST
    assert np.array_equal(model.read([long]), model.read([[*long, "cat", "cat"]]))
    assert np.array_equal(model.read([["a", "qqq"]]), model.read([["a", "xyz"]]))
    assert model.knows("dog")
    assert not model.knows("qqq")


def test_what_is_rebuilt_is_made_of_known_words(model: SentenceModel) -> None:
    (said,) = model.rebuild(model.read([["a", "dog", "runs"]]), longest=7)
    assert len(said) <= 7
    assert set(said) <= {*WORDS, "[unknown]"}


def _header(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """The file with another header over the same bytes."""
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    change(header)
    written = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(written)) + written + content[8 + length :])


def _tensors(change: Callable[[dict[str, torch.Tensor]], object]) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        tensors, metadata = parts(path)
        change(tensors)
        save_file(tensors, path, metadata)

    return spoil


def _metadata(**values: str) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        tensors, metadata = parts(path)
        save_file(tensors, path, {**metadata, **values})

    return spoil


def _huge(header: dict[str, Any]) -> None:
    header["word.weight"]["shape"] = [10**9, 10**6]


def _config(**values: Any) -> str:
    return json.dumps({"words": 11, "embedding": 5, "hidden": 6, **values})


SPOILT: dict[str, tuple[Callable[[Path], object], str]] = {
    "no safetensors": (lambda path: path.write_bytes(b"PK\x03\x04 a zip, or a pickle"), "SafetensorError"),
    "empty": (lambda path: path.write_bytes(b""), "SafetensorError"),
    "cut off": (lambda path: path.write_bytes(path.read_bytes()[:-50]), "SafetensorError"),
    "a header without end": (
        lambda path: path.write_bytes(struct.pack("<Q", 2**62) + b"{"),
        "SafetensorError",
    ),
    "a claim of huge tensors": (lambda path: _header(path, _huge), "SafetensorError"),
    "no metadata": (lambda path: _header(path, lambda header: header.pop("__metadata__")), "of another metric"),
    "another family": (_metadata(family="nneval"), "expected i2ce; found nneval"),
    "no config": (_metadata(config="{}"), "TypeError"),
    "a config that is no JSON": (_metadata(config="{"), "JSONDecodeError"),
    "a config of unknown fields": (_metadata(config=_config(layers=3)), "TypeError"),
    "a huge config": (_metadata(config=_config(hidden=10**9)), "its config's hidden; expected 1 to 8,192"),
    "a config of text": (_metadata(config=_config(hidden="6")), "its config's hidden"),
    "deep brackets": (_metadata(words="[" * 100_000), "its vocabulary|RecursionError|JSONDecodeError"),
    "too few words": (_metadata(words='["a"]'), "its vocabulary; expected 7 words; found 1"),
    "a word twice": (_metadata(words=json.dumps(["a"] * 7)), "each word once"),
    "no list of words": (_metadata(words='{"a": 1}'), "a list of words"),
    "other shapes": (_metadata(config=_config(hidden=7)), r"its tensor .*expected 21 x 7; found 18 x 6"),
    "a tensor missing": (_tensors(lambda tensors: tensors.pop("bias")), "its tensors; expected"),
    "a tensor too many": (_tensors(lambda tensors: tensors.update(more=torch.zeros(2))), "its tensors; expected"),
    "not a number": (_tensors(lambda tensors: tensors["reader.weight"].fill_(torch.nan)), "finite numbers"),
    "infinite": (_tensors(lambda tensors: tensors["bias"].fill_(torch.inf)), "finite numbers"),
    "whole numbers": (_tensors(lambda t: t.update(bias=torch.zeros(11, dtype=torch.int64))), "floating-point numbers"),
}


@pytest.mark.parametrize("name", SPOILT)
def test_a_bad_file_is_refused_with_its_reason(name: str, path: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.safetensors"
    bad.write_bytes(path.read_bytes())
    spoil, reason = SPOILT[name]
    spoil(bad)
    with pytest.raises(InvalidInput, match=rf"bad\.safetensors is not a model of I2CE: .*({reason})"):
        sentence_model.load(bad)
    item = CaptionItem("1", "a dog", ("a cat",))
    with pytest.raises(InvalidInput, match="is not a model of I2CE"):
        evaluate([item], ["i2ce"], options={"i2ce": {"model": str(bad)}})


def test_a_source_that_is_not_there(tmp_path: Path) -> None:
    for source, reason in {
        str(tmp_path / "no.safetensors"): "no such model",
        str(tmp_path): "no such model",
        "\0": "no such model",
        "own:../../etc": "no such model",
    }.items():
        with pytest.raises(InvalidInput, match=reason):
            trained.locate("i2ce", source)
    (tmp_path / "x.bin").write_bytes(b"1")
    with pytest.raises(InvalidInput, match="not a trained model"):
        trained.locate("i2ce", str(tmp_path / "x.bin"))
    with pytest.raises(MissingResource, match="is gone"):
        trained.locate("i2ce", "own:" + "0" * 32)


def test_a_broken_shipped_file_is_an_incomplete_installation(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = tmp_path / "bad.safetensors"
    bad.write_bytes(path.read_bytes()[:100])
    monkeypatch.setattr(files, "locate", lambda name: bad)
    with pytest.raises(MissingResource, match="install CapEval again"):
        sentence_model.open_model("shipped")


def test_what_was_trained_in_the_app_is_found_by_its_name_only(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAPEVAL_CACHE", str(tmp_path / "cache"))
    source = trained.keep(path, "i2ce")
    assert source == trained.keep(path, "i2ce")  # the same content, the same name
    assert trained.locate("i2ce", source).read_bytes() == path.read_bytes()
    assert trained.kept("i2ce", source)
    assert not trained.kept("nneval", source)
    assert source not in [one.value for one in options.offers("i2ce", "model")]
    assert options.allowed("i2ce", "model", source)
    assert not options.allowed("i2ce", "model", str(path))
    made = options.make("i2ce", {"model": source})
    assert options.from_plain(options.to_plain({"i2ce": made})) == {"i2ce": made}
    assert (
        "|model:own(" in evaluate([CaptionItem("1", "a", ("a",))], ["i2ce"], options={"i2ce": made}).signatures["i2ce"]
    )
    with pytest.raises(InvalidInput, match="not a model of nneval"):
        trained.keep(path, "nneval")


def test_the_host_can_offer_models(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPEVAL_TRAINED", f"mine={path}")
    assert [one.name for one in available.trained("i2ce")] == ["shipped", "mine"]
    (told,) = [one for one in doctor.examine() if one.where == "$CAPEVAL_TRAINED"]
    assert (told.name, told.what, told.sound) == ("mine", "trained networks of your own", True)


def test_the_shipped_file_is_small_and_holds_no_pickle() -> None:
    shipped = files.locate("i2ce")
    assert shipped.stat().st_size < 25_000_000
    assert trained.family_of(shipped) == "i2ce"
    facts = sentence_model.open_model("shipped").facts
    assert facts["settings"]["variant"] in ("dual", "triple")
