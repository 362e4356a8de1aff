"""Models that visitors trained: found by their content, gone when too old, too much or forgotten."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

from capeval_core import InvalidInput
from capeval_core.resources import trained
from pages.work import models


def content(number: int) -> bytes:
    return save({"weight": np.full(100, number)}, {"family": "i2ce"})


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPEVAL_CACHE", str(tmp_path))


def test_a_model_is_found_by_its_source_and_by_nothing_else() -> None:
    source = models.put(content(1), "i2ce")
    assert source == trained.OWN + hashlib.sha256(content(1)).hexdigest()[:32]
    assert trained.locate("i2ce", source).read_bytes() == content(1)
    assert trained.kept("i2ce", source)
    assert not trained.kept("nneval", source)
    with pytest.raises(InvalidInput, match="not a model of nneval"):
        models.put(content(1), "nneval")


def test_old_and_too_many_go(monkeypatch: pytest.MonkeyPatch) -> None:
    old, other = models.put(content(1), "i2ce"), models.put(content(2), "i2ce")
    long_ago = time.time() - (models.DAYS + 1) * 86_400
    os.utime(trained.locate("i2ce", old), (long_ago, long_ago))
    last = models.put(content(3), "i2ce")
    assert [trained.kept("i2ce", one) for one in (old, other, last)] == [False, True, True]
    monkeypatch.setattr(models, "MOST", len(content(1)))
    last = models.put(content(4), "i2ce")
    assert [trained.kept("i2ce", one) for one in (other, last)] == [False, True]


def test_a_forgotten_one_is_gone() -> None:
    source = models.put(content(1), "i2ce")
    models.drop([hashlib.sha256(b"no model").hexdigest(), hashlib.sha256(content(1)).hexdigest()])
    assert not trained.kept("i2ce", source)
