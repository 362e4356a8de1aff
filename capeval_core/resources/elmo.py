"""ELMo's lowest LSTM layer, from the published files: options (JSON) and weights (HDF5, the layout AllenNLP reads).

Paper: Peters et al. 2018, "Deep contextualized word representations"; WEmbSim uses this layer of it. A word enters as
its UTF-8 bytes through a character CNN, highway layers and a projection; then a forward and a backward LSTM, each with
a projection, read the sentence from its mark of beginning to its mark of end. Every caption starts from empty states.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from capeval_core.errors import InvalidInput

# Numbers of the characters after the 256 bytes. AllenNLP adds 1 to all of them and puts a row of zeros in front, for
# masking; captions of one length run together here, so nothing is masked and the file's own rows are used.
BEGIN_SENTENCE, END_SENTENCE, BEGIN_WORD, END_WORD, PADDING = 256, 257, 258, 259, 260
WORDS_AT_ONCE = 4_000
ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {"relu": functional.relu, "tanh": torch.tanh}

Sentence = Sequence[str]


class Elmo:
    def __init__(self, name: str, options: Mapping[str, Any], weights: Mapping[str, Any], device: str) -> None:
        def tensor(path: str) -> Tensor:
            return torch.from_numpy(np.asarray(weights[path], dtype=np.float32)).to(device)

        self.name = name
        characters, lstm = options["char_cnn"], options["lstm"]
        self._longest = int(characters["max_characters_per_token"])
        self._activation = ACTIVATIONS[characters["activation"]]
        self._letters = tensor("char_embed")
        # (1, width, letter, filter) -> (filter, letter, width)
        self._filters = [
            (tensor(f"CNN/W_cnn_{number}")[0].permute(2, 1, 0), tensor(f"CNN/b_cnn_{number}"))
            for number in range(len(characters["filters"]))
        ]
        self._highways = [
            [tensor(f"CNN_high_{number}/{part}") for part in ("W_carry", "b_carry", "W_transform", "b_transform")]
            for number in range(int(characters["n_highway"]))
        ]
        self._projection = tensor("CNN_proj/W_proj"), tensor("CNN_proj/b_proj")
        self._directions = []
        for number in range(2):  # forward, backward
            cell = f"RNN_{number}/RNN/MultiRNNCell/Cell0/LSTMCell"
            self._directions.append((tensor(f"{cell}/W_0"), tensor(f"{cell}/B"), tensor(f"{cell}/W_P_0")))
        self._cell_clip, self._projection_clip = float(lstm["cell_clip"]), float(lstm["proj_clip"])
        self.dims = sum(project.shape[1] for _, _, project in self._directions)
        if self._letters.shape[0] <= PADDING:
            raise ValueError(f"char_embed has {len(self._letters)} rows, not {PADDING + 1}")

    def embed(self, sentences: Sequence[Sentence], without: Set[str] = frozenset()) -> list[npt.NDArray[np.float32]]:
        """One matrix (words, dims) per sentence: what leaves the first LSTM layer, forward beside backward."""
        by_length: dict[int, list[Sentence]] = defaultdict(list)
        for sentence in dict.fromkeys(map(tuple, sentences)):
            by_length[len(sentence)].append(sentence)
        found: dict[Sentence, npt.NDArray[np.float32]] = {}
        for length, group in by_length.items():
            step = max(1, WORDS_AT_ONCE // (length + 2))
            for start in range(0, len(group), step):
                batch = group[start : start + step]
                found.update(zip(batch, self._run(batch), strict=True))
        return [found[tuple(sentence)] for sentence in sentences]

    @torch.inference_mode()
    def _run(self, batch: Sequence[Sentence]) -> npt.NDArray[np.float32]:
        spelled = [[(BEGIN_SENTENCE,), *map(_bytes, sentence), (END_SENTENCE,)] for sentence in batch]
        place = {word: number for number, word in enumerate(dict.fromkeys(w for row in spelled for w in row))}
        inputs = self._words(list(place))[torch.tensor([[place[word] for word in row] for row in spelled])]
        forward = self._read(inputs, *self._directions[0])
        backward = self._read(inputs.flip(1), *self._directions[1]).flip(1)
        found: npt.NDArray[np.float32] = torch.cat([forward, backward], dim=-1)[:, 1:-1].cpu().numpy()
        return found

    def _words(self, words: Sequence[tuple[int, ...]]) -> Tensor:
        """(words, dims of the projection): a word before its context."""
        ids = torch.full((len(words), self._longest), PADDING, device=self._letters.device)
        for row, word in enumerate(words):
            spelled = (BEGIN_WORD, *word[: self._longest - 2], END_WORD)
            ids[row, : len(spelled)] = torch.tensor(spelled)
        letters = self._letters[ids].transpose(1, 2)
        convolved = [functional.conv1d(letters, weight, bias).amax(dim=-1) for weight, bias in self._filters]
        found = self._activation(torch.cat(convolved, dim=-1))
        for carry, carry_bias, transform, transform_bias in self._highways:
            gate = torch.sigmoid(found @ carry + carry_bias)
            found = gate * functional.relu(found @ transform + transform_bias) + (1 - gate) * found
        return found @ self._projection[0] + self._projection[1]

    def _read(self, inputs: Tensor, weight: Tensor, bias: Tensor, project: Tensor) -> Tensor:
        """An LSTM over (captions, words, dims); its gates lie in the order input, new, forget, output."""
        size = inputs.shape[-1]
        from_inputs = inputs @ weight[:size] + bias  # of all words at once: only the state must wait for its turn
        output = inputs.new_zeros(len(inputs), project.shape[1])
        cell = inputs.new_zeros(len(inputs), project.shape[0])
        outputs = []
        for step in from_inputs.unbind(1):
            enter, new, forget, leave = (step + output @ weight[size:]).chunk(4, dim=-1)
            # TensorFlow adds 1 to the forget gate while it runs; the files do not hold it.
            cell = torch.sigmoid(forget + 1.0) * cell + torch.sigmoid(enter) * torch.tanh(new)
            cell = cell.clamp(-self._cell_clip, self._cell_clip)
            output = (torch.sigmoid(leave) * torch.tanh(cell)) @ project
            output = output.clamp(-self._projection_clip, self._projection_clip)
            outputs.append(output)
        return torch.stack(outputs, dim=1)


def _bytes(word: str) -> tuple[int, ...]:
    return tuple(word.encode("utf-8", errors="ignore"))


def load(weights: Path, device: str) -> Elmo:
    """ELMo from `..._weights.hdf5` and the `..._options.json` beside it."""
    import h5py

    torch.set_num_threads(1)  # see CaptionParser.load
    options = options_of(weights)
    try:
        with h5py.File(weights, "r") as file:
            return Elmo(weights.name, json.loads(options.read_text(encoding="utf-8")), file, device)
    except (OSError, ValueError, LookupError, TypeError, RuntimeError) as error:
        raise InvalidInput(
            f"{weights}: not readable as ELMo weights with {options.name} beside it",
            expected="the files AllenNLP published: *_weights.hdf5 and *_options.json",
            found=" ".join(f"{type(error).__name__}: {error}".split()),
        ) from error


def options_of(weights: Path) -> Path:
    return weights.with_name(weights.name.replace("weights", "options")).with_suffix(".json")
