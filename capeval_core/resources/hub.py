"""Transformers on this machine: a folder, or what lies in the local hub cache. Looks at files; nothing is loaded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

NEEDED = ("config.json", "tokenizer.json", "model.safetensors")


def is_model(folder: Path) -> bool:
    return all((folder / part).is_file() for part in NEEDED)


def find(source: str) -> Path | None:
    """The folder of a model: a path, or a name of the local hub cache; None when it is not here."""
    try:
        if Path(source).is_dir():
            return Path(source)
    except (OSError, ValueError):  # a name no file can have
        return None
    for name in (source, f"distilbert/{source}"):  # the hub's old short names belong to that owner now
        folders = cache_folder().glob(f"models--{name.replace('/', '--')}/snapshots/*")
        found = [folder for folder in folders if is_model(folder)]
        if found:
            return max(found, key=lambda folder: folder.stat().st_mtime)
    return None


def cached() -> Iterator[str]:
    """The names of the models in the local hub cache that can be read here."""
    for folder in sorted(cache_folder().glob("models--*")):
        if any(map(is_model, folder.glob("snapshots/*"))):
            yield folder.name.removeprefix("models--").replace("--", "/", 1)


def cache_folder() -> Path:
    home = Path(os.environ.get("HF_HOME") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "huggingface")
    return Path(os.environ.get("HF_HUB_CACHE") or home / "hub").expanduser()
