"""Our encoder against the transformers library, on the packaged weights and on small random ones of each family."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from capeval_core.errors import MissingResource
from capeval_core.resources import files, transformer
from capeval_core.resources.encoder import LibraryEncoder

TEXTS = ["a dog runs on the beach", "two men, talking.", "", "skateboarding \U0001f436", "a dog runs on the beach"]
SMALL: dict[str, Any] = {"vocab_size": 60, "max_position_embeddings": 20}


def tiny(kind: str, folder: Path) -> Path:
    from transformers import BertConfig, BertModel, DistilBertConfig, DistilBertModel, RobertaConfig, RobertaModel

    torch.manual_seed(0)
    shape: dict[str, Any] = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3}
    kinds: dict[str, tuple[Any, Any]] = {
        "bert": (BertModel, BertConfig(**SMALL, **shape, intermediate_size=32)),
        "roberta": (RobertaModel, RobertaConfig(**SMALL, **shape, intermediate_size=32, pad_token_id=1)),
        "distilbert": (DistilBertModel, DistilBertConfig(**SMALL, dim=24, n_layers=2, n_heads=3, hidden_dim=32)),
    }
    make, config = kinds[kind]
    model = make(config)
    for tensor in model.parameters():  # fresh biases are 0 and would hide a mistake
        torch.nn.init.normal_(tensor, std=0.3)
    model.save_pretrained(folder)
    (folder / "tokenizer.json").write_bytes(files.locate("minilm-tokenizer").read_bytes())
    return folder


def small_tokenizer() -> str:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    words = ["<s>", "<pad>", "</s>", "<unk>", "a", "dog", "runs", "on", "the", "beach", ",", "fast"]
    found = Tokenizer(models.WordLevel({word: place for place, word in enumerate(words)}, unk_token="<unk>"))
    found.pre_tokenizer = pre_tokenizers.Whitespace()
    found.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    return found.to_str()


@pytest.mark.parametrize("kind", ["bert", "roberta", "distilbert"])
def test_encoder_equals_the_library(kind: str, tmp_path: Path) -> None:
    folder = tiny(kind, tmp_path)
    ours = transformer.open_transformer(str(folder)).encoder
    theirs = LibraryEncoder(str(folder), json.loads((folder / "config.json").read_text()), "cpu")
    ids = torch.tensor([[3, 4, ours.padding, 6, 7, 8], [9, ours.padding, 11, 12, 13, 14]])
    with torch.inference_mode():
        for keys in (None, ids != ours.padding):
            mine, other = list(ours.steps(ids, keys)), list(theirs.steps(ids, keys))
            assert len(mine) == len(other) == 3
            for one, two in zip(mine, other, strict=True):
                torch.testing.assert_close(one.hidden, two.hidden, rtol=1e-4, atol=1e-5)
                if one.attention is not None:
                    torch.testing.assert_close(one.attention, two.attention, rtol=1e-4, atol=1e-5)


def test_minilm_equals_the_library() -> None:
    from transformers import AutoModel, AutoTokenizer

    folder = files.locate("minilm-config").parent
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder)
    ours = transformer.open_transformer("minilm")
    texts = [ours.encode(text) for text in TEXTS]
    for layer in (0, 3, 6):
        for text, encoding, hidden in zip(TEXTS, texts, ours.hidden(texts, layer), strict=True):
            given = tokenizer(text, return_tensors="pt")
            assert given["input_ids"][0].tolist() == list(encoding.ids)
            with torch.inference_mode():
                expected = model(**given, output_hidden_states=True).hidden_states[layer][0].numpy()
            np.testing.assert_allclose(hidden, expected, rtol=0, atol=5e-6)


def test_a_long_text_is_cut_and_says_so() -> None:
    model = transformer.open_transformer("minilm")
    text = model.encode("dog " * 2_000)
    assert text.cut
    assert len(text.ids) == model.encoder.limit == 512
    assert (text.tokens[0], text.tokens[-1]) == ("[CLS]", "[SEP]")
    assert not model.encode("a dog").cut


def test_the_local_hub_cache_is_searched_and_nothing_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(MissingResource, match="resources fetch distilroberta-base"):
        transformer.open_transformer("distilroberta-base")
    folder = tmp_path / "models--distilbert--distilroberta-base" / "snapshots" / "abc"
    folder.mkdir(parents=True)
    tiny("roberta", folder)
    assert transformer.open_transformer("distilroberta-base").layers == 2


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
@pytest.mark.parametrize("content", [None, b"nonsense"])
def test_a_broken_folder_says_what_is_wrong(name: str, content: bytes | None, tmp_path: Path) -> None:
    folder = tiny("bert", tmp_path)
    (folder / name).unlink() if content is None else (folder / name).write_bytes(content)
    with pytest.raises(MissingResource):
        transformer.open_transformer(str(folder))
