"""What tests of several folders share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty hub cache, gensim folder and environment: whatever this machine happens to have is out of sight."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("GENSIM_DATA_DIR", str(tmp_path / "gensim"))
    for name in ("CAPEVAL_VECTORS", "CAPEVAL_MODELS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "hub"
