"""Contextual vectors of the packaged transformer: word pieces pooled to words, and words without a vector."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from capeval_core import InvalidInput
from capeval_core.resources.contextual import open_contextual
from capeval_core.resources.transformer import open_transformer


def test_a_word_is_the_mean_of_its_pieces() -> None:
    vectors, transformer = open_contextual("minilm", "cpu"), open_transformer("minilm", "cpu")
    sentence = ["a", "skateboarder", "grinds", "t-shirt"]
    encoding = transformer.encode(" ".join(sentence))
    assert encoding.tokens == ("[CLS]", "a", "skate", "##board", "##er", "grind", "##s", "t", "-", "shirt", "[SEP]")
    (states,) = transformer.hidden([encoding], 1)
    expected = [states[1], states[2:5].mean(axis=0), states[5:7].mean(axis=0), states[7:10].mean(axis=0)]
    (found,) = vectors.embed([sentence])
    assert (vectors.name, vectors.dims) == ("minilm", 384)
    assert_allclose(found, expected, atol=1e-6)


def test_words_the_transformer_does_not_read_have_no_vector() -> None:
    sentences = [["dog", "\U0001f436", "\u200b", "cat"], [], ["dog"] * 600, ["\ud83d", "dog"]]
    found = open_contextual("minilm", "cpu").embed(sentences)
    known = [np.isfinite(rows).all(axis=1).tolist() for rows in found]
    assert [rows.shape for rows in found] == [(len(sentence), 384) for sentence in sentences]
    assert known[0] == [True, False, False, True]
    assert known[2] == [True] * 510 + [False] * 90  # 512 tokens, of which two are the sentence's marks
    assert known[3][1]


@pytest.mark.parametrize("name", ["no/such/weights.hdf5", "\x00.hdf5"])
def test_a_wrong_path(name: str) -> None:
    with pytest.raises(InvalidInput, match="no such word vectors"):
        open_contextual(name, "cpu")
