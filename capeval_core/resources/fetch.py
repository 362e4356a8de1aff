"""Downloads of models and word vectors. Only `fetch()` uses the network, and only when the user asks for it by name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from capeval_core.errors import CapEvalError, InvalidInput, MissingResource
from capeval_core.resources import hub
from capeval_core.resources.vectors import GENSIM, gensim_file

SHORT_NAMES = {name: f"distilbert/{name}" for name in ("distilroberta-base", "distilbert-base-uncased")}
# Weights as safetensors, and what the tokenizer needs: never a pickle, never code.
WANTED = ("*.safetensors", "config.json", "tokenizer*.json", "special_tokens_map.json", "vocab.*", "merges.txt")
EXPECTED = f"{', '.join(SHORT_NAMES)}, a model's OWNER/NAME on the hub, or {GENSIM}NAME"


def fetch(name: str) -> Path:
    """Downloads what is not here yet; the path of the file or folder. MissingResource where it cannot be had."""
    try:
        if name.startswith(GENSIM):
            return _fetch_vectors(name)
        if name in SHORT_NAMES or (name.count("/") == 1 and all(name.split("/"))):
            return _fetch_model(name)
    except CapEvalError:
        raise
    except Exception as error:  # network, disk, the hub's and gensim's own: each library raises what it likes
        raise MissingResource(
            f"{name} could not be downloaded",
            found=f"{type(error).__name__}: {str(error).strip()[:200]}",
            fix="check the name and the network; or copy the files here and give their path",
        ) from error
    raise InvalidInput(f"nothing to fetch by the name {name!r}", expected=EXPECTED)


def _fetch_vectors(name: str) -> Path:
    path, short = gensim_file(name.removeprefix(GENSIM)), name.removeprefix(GENSIM)
    if path.is_file():
        return path
    from gensim import downloader  # type: ignore[import-untyped]

    known = _names(downloader)
    if short not in known:
        raise InvalidInput(f"gensim offers no word vectors {short!r}", expected=f"one of {', '.join(known)}")
    # Only the file is used: the loader that comes with it is code from the network, and never run.
    return Path(downloader.load(short, return_path=True))


def _names(downloader: Any) -> list[str]:
    return sorted(name for name in downloader.info(name_only=True)["models"] if not name.startswith("_"))


def _fetch_model(name: str) -> Path:
    from huggingface_hub import snapshot_download

    here = hub.find(name)
    if here is not None:
        return here
    folder = Path(snapshot_download(SHORT_NAMES.get(name, name), allow_patterns=list(WANTED)))
    missing = [part for part in hub.NEEDED if not (folder / part).is_file()]
    if missing:
        raise MissingResource(
            f"{name} lacks {', '.join(missing)}",
            found=", ".join(sorted(os.listdir(folder))) or "none of the files CapEval reads",
            fix="choose a model with safetensors weights and a tokenizer.json",
        )
    return folder
