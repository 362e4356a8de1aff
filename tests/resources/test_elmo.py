"""ELMo on a tiny file of AllenNLP's layout, against the equations computed word by word with numpy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from capeval_core import CaptionItem, InvalidInput, evaluate
from capeval_core.resources import elmo
from capeval_core.resources.contextual import open_contextual

Array = npt.NDArray[np.float64]
LONGEST, LETTER, FILTERS, PROJECTED, CELL = 12, 4, [[1, 3], [2, 5], [3, 2]], 6, 7
OPTIONS = {
    "lstm": {
        "use_skip_connections": True,
        "projection_dim": PROJECTED,
        "cell_clip": 0.5,
        "proj_clip": 0.3,
        "dim": CELL,
    },
    "char_cnn": {
        "activation": "relu",
        "filters": FILTERS,
        "n_highway": 2,
        "embedding": {"dim": LETTER},
        "n_characters": 262,
        "max_characters_per_token": LONGEST,
    },
}
SENTENCES = [["a", "dog", "runs"], ["dog"], [], ["the", "extraordinarily", "long", "caf\u00e9", "\U0001f436", "dog"]]


def write(folder: Path) -> Path:
    chance = np.random.default_rng(7)
    size = sum(count for _, count in FILTERS)
    shapes: dict[str, tuple[int, ...]] = {
        "char_embed": (261, LETTER),
        "CNN_proj/W_proj": (size, PROJECTED),
        "CNN_proj/b_proj": (PROJECTED,),
    }
    for number, (width, count) in enumerate(FILTERS):
        shapes |= {f"CNN/W_cnn_{number}": (1, width, LETTER, count), f"CNN/b_cnn_{number}": (count,)}
    for number in range(2):
        for part in ("carry", "transform"):
            shapes |= {f"CNN_high_{number}/W_{part}": (size, size), f"CNN_high_{number}/b_{part}": (size,)}
        for layer in range(2):
            cell = f"RNN_{number}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
            shapes |= {
                f"{cell}/W_0": (2 * PROJECTED, 4 * CELL),
                f"{cell}/B": (4 * CELL,),
                f"{cell}/W_P_0": (CELL, PROJECTED),
            }
    path = folder / "tiny_weights.hdf5"
    with h5py.File(path, "w") as file:
        for name, shape in shapes.items():
            file.create_dataset(name, data=chance.normal(scale=0.8, size=shape).astype(np.float32))
    (folder / "tiny_options.json").write_text(json.dumps(OPTIONS), encoding="utf-8")
    return path


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def by_hand(path: Path, sentence: list[str]) -> tuple[Array, list[int]]:
    """The layer's output, and how many numbers the two clips changed."""
    with h5py.File(path) as file:
        get = {name: np.asarray(file[name], dtype=np.float64) for name in names(file)}
    table = np.vstack([np.zeros(LETTER), get["char_embed"]])  # as AllenNLP: characters count from 1, 0 is the mask

    def word(letters: list[int]) -> Array:
        ids = [259, *(letter + 1 for letter in letters[: LONGEST - 2]), 260]
        rows = table[ids + [261] * (LONGEST - len(ids))]
        found = []
        for number, (width, count) in enumerate(FILTERS):
            kernel = get[f"CNN/W_cnn_{number}"][0]
            windows = [np.tensordot(rows[at : at + width], kernel, axes=2) for at in range(LONGEST - width + 1)]
            found += [max(0.0, max(w[f] for w in windows) + get[f"CNN/b_cnn_{number}"][f]) for f in range(count)]
        x = np.array(found)
        for number in range(2):
            high = f"CNN_high_{number}/"
            carry = sigmoid(x @ get[high + "W_carry"] + get[high + "b_carry"])
            x = carry * np.maximum(x @ get[high + "W_transform"] + get[high + "b_transform"], 0) + (1 - carry) * x
        return np.asarray(x @ get["CNN_proj/W_proj"] + get["CNN_proj/b_proj"])

    words = [word([256]), *(word(list(text.encode())) for text in sentence), word([257])]
    sides, clipped = [], [0, 0]
    for number, order in enumerate((words, words[::-1])):
        cell = f"RNN_{number}/RNN/MultiRNNCell/Cell0/LSTMCell/"
        memory, output, outputs = np.zeros(CELL), np.zeros(PROJECTED), []
        for x in order:
            gates = np.concatenate([x, output]) @ get[cell + "W_0"] + get[cell + "B"]
            i, j, f, o = np.split(gates, 4)
            memory = sigmoid(i) * np.tanh(j) + sigmoid(f + 1) * memory
            clipped[0] += int((np.abs(memory) > 0.5).sum())
            memory = np.clip(memory, -0.5, 0.5)
            output = (sigmoid(o) * np.tanh(memory)) @ get[cell + "W_P_0"]
            clipped[1] += int((np.abs(output) > 0.3).sum())
            output = np.clip(output, -0.3, 0.3)
            outputs.append(output)
        sides.append(outputs if number == 0 else outputs[::-1])
    found = np.concatenate([np.array(sides[0]), np.array(sides[1])], axis=1)[1:-1]
    return found, clipped


def names(file: Any) -> list[str]:
    found: list[str] = []
    file.visititems(lambda name, thing: found.append(name) if isinstance(thing, h5py.Dataset) else None)
    return found


def test_lowest_layer_is_what_the_equations_say(tmp_path: Path) -> None:
    path = write(tmp_path)
    vectors = open_contextual(str(path), "cpu")
    assert (vectors.name, vectors.dims) == ("tiny_weights.hdf5", 2 * PROJECTED)
    found = vectors.embed(SENTENCES)
    for sentence, rows in zip(SENTENCES, found, strict=True):
        expected, clipped = by_hand(path, sentence)
        assert rows.shape == (len(sentence), 2 * PROJECTED)
        assert_allclose(rows, expected, atol=2e-6)
        assert min(clipped) > 0  # both clips are at work in this file
    assert np.abs(found[0][1] - found[3][5]).max() > 1e-3  # one word, two contexts
    assert open_contextual(str(path), "cpu") is vectors


def test_company_and_batches_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = open_contextual(str(write(tmp_path)), "cpu")
    together = vectors.embed([*SENTENCES, *SENTENCES])
    monkeypatch.setattr(elmo, "WORDS_AT_ONCE", 1)
    for sentence, rows in zip([*SENTENCES, *SENTENCES], together, strict=True):
        assert_allclose(vectors.embed([sentence])[0], rows, atol=1e-6)
    assert_array_equal(together[0], together[len(SENTENCES)])


def test_wembsim_runs_on_elmo(tmp_path: Path) -> None:
    path = write(tmp_path)
    item = CaptionItem("1", "a dog runs", ("the dog runs", "cats"))
    found = evaluate([item], ["wembsim"], options={"wembsim": {"vectors": str(path)}}, device="cpu")
    means = []
    for words, kept in (("a dog runs", [1, 2]), ("the dog runs", [1, 2]), ("cats", [0])):
        means.append(by_hand(path, words.split())[0][kept].mean(axis=0))
    cosines = [abs(means[0] @ m) / np.linalg.norm(means[0]) / np.linalg.norm(m) for m in means[1:]]
    assert found.scores["wembsim"][0] == pytest.approx(np.mean(cosines), abs=1e-5)
    assert "|vectors:tiny_weights.hdf5|" in found.signatures["wembsim"]
    assert found.remarks["wembsim"].startswith("tiny_weights.hdf5 knows 5 of 5 words")


@pytest.mark.parametrize(
    "damage", ["no options", "not HDF5", "a tensor missing", "few letters", "options of another kind"]
)
def test_a_broken_file_is_named(damage: str, tmp_path: Path) -> None:
    path = write(tmp_path)
    if damage == "no options":
        (tmp_path / "tiny_options.json").unlink()
    elif damage == "options of another kind":
        (tmp_path / "tiny_options.json").write_text("[1]", encoding="utf-8")
    elif damage == "not HDF5":
        path.write_bytes(b"no HDF5")
    else:
        with h5py.File(path, "a") as file:
            del file["char_embed"]
            if damage == "few letters":
                file.create_dataset("char_embed", data=np.zeros((9, LETTER), dtype=np.float32))
    with pytest.raises(InvalidInput, match="not readable as ELMo weights with tiny_options"):
        open_contextual(str(path), "cpu")
