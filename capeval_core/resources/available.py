"""What this machine has of word vectors, transformers and trained networks: what a visitor of the app may choose from.

Packaged ones, gensim's folder, the local hub cache, and what the person who started the app named in CAPEVAL_VECTORS,
CAPEVAL_MODELS and CAPEVAL_TRAINED: paths of files or folders, or name=path, with the system's path separator (`:`; `;`
on Windows) between them. A folder stands for what lies directly in it. Looks at files only; nothing is loaded.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from capeval_core.resources import files, hub, vector_files
from capeval_core.resources import trained as networks
from capeval_core.resources import vectors as word_vectors
from capeval_core.resources.contextual import SUFFIX as ELMO

VECTORS, MODELS, TRAINED = "CAPEVAL_VECTORS", "CAPEVAL_MODELS", "CAPEVAL_TRAINED"
PACKAGED_VECTORS = {
    word_vectors.PACKAGED: "packaged, 50 numbers per word",
    word_vectors.SPACY: "packaged, 300 numbers per word",
}
MINILM = "minilm"
HUB = "in the hub cache"


@dataclass(frozen=True, slots=True)
class Available:
    name: str  # what is shown, and what a link carries
    value: str  # what the option is set to; may be a path, which a visitor never sees
    words: str  # what it is, or where it comes from


@dataclass(frozen=True, slots=True)
class Named:
    """An entry of CAPEVAL_VECTORS, CAPEVAL_MODELS or CAPEVAL_TRAINED."""

    name: str
    path: Path
    found: tuple[Path, ...]  # what it stands for; nothing: there is nothing that can be read


def vectors(*, contextual: bool = False) -> tuple[Available, ...]:
    """Word vectors; also those that depend on the words around where a metric can use them."""
    found = []
    if contextual and _has(f"{MINILM}-weights"):
        found.append(Available(MINILM, MINILM, "packaged, lowest layer"))
    found += [Available(name, name, words) for name, words in PACKAGED_VECTORS.items() if _has(name)]
    found += _host(VECTORS, _is_any_vectors if contextual else _is_vectors)
    folder = word_vectors.gensim_folder()
    for path in sorted(folder.glob("*/*.gz")) if folder.is_dir() else ():
        if path.name == f"{path.parent.name}.gz":
            name = f"{word_vectors.GENSIM}{path.parent.name}"
            found.append(Available(name, name, "in gensim's folder"))
    return _distinct(found)


def models() -> tuple[Available, ...]:
    """Transformers."""
    found = [Available(MINILM, MINILM, "packaged")] if _has(f"{MINILM}-weights") else []
    found += _host(MODELS, hub.is_model)
    found += [Available(name, name, HUB) for name in hub.cached()]
    return _distinct(found)


def trained(family: str) -> tuple[Available, ...]:
    """Networks of a metric: the shipped one and what the person who started the app named."""
    has = networks.has_shipped(family)
    found = [Available(networks.SHIPPED, networks.SHIPPED, "trained for CapEval")] if has else []
    return _distinct([*found, *_host(TRAINED, lambda path: networks.family_of(path) == family)])


def depth(source: str) -> int | None:
    """How many layers a transformer has, as its config.json says; None where that is not known."""
    if source == MINILM:
        path = files.find(files.RESOURCES[f"{MINILM}-config"])
    else:
        folder = hub.find(source)
        path = folder / "config.json" if folder else None
    try:
        config = json.loads(path.read_bytes()) if path else {}
    except (OSError, ValueError):
        return None
    found = [config.get(name) for name in ("num_hidden_layers", "n_layers")] if isinstance(config, dict) else []
    return next((layers for layers in found if isinstance(layers, int)), None)


def named() -> list[tuple[str, Named]]:
    """What the person who started the app named, with the variable: also what is not there."""
    wanted = {VECTORS: _is_any_vectors, MODELS: hub.is_model, TRAINED: lambda path: bool(networks.family_of(path))}
    return [(variable, entry) for variable, suits in wanted.items() for entry in _entries(variable, suits)]


def _host(variable: str, suits: Callable[[Path], bool]) -> Iterator[Available]:
    for entry in _entries(variable, suits):
        for path in entry.found:
            name = entry.name if path == entry.path else f"{entry.name}/{path.name}"
            yield Available(name, str(path), "on this machine")


def _entries(variable: str, suits: Callable[[Path], bool]) -> Iterator[Named]:
    for text in filter(None, os.environ.get(variable, "").split(os.pathsep)):
        name, equals, rest = text.partition("=")
        has_name = bool(equals and name and not {os.sep, os.altsep} & set(name))  # else the = is part of a path
        path = Path(rest if has_name else text).expanduser().absolute()
        try:
            found = [path] if suits(path) else sorted(filter(suits, path.iterdir())) if path.is_dir() else []
        except OSError:
            found = []
        yield Named(name if has_name else path.name, path, tuple(found))


def _is_vectors(path: Path) -> bool:
    return vector_files.kind(path) in vector_files.SUFFIXES and path.is_file()


def _is_any_vectors(path: Path) -> bool:
    return _is_vectors(path) or (path.suffix == ELMO and path.is_file())


def _has(resource: str) -> bool:
    return files.find(files.RESOURCES[resource]) is not None


def _distinct(found: Iterable[Available]) -> tuple[Available, ...]:
    """A name stands for one thing: the second of the same name is told apart by a number."""
    kept: dict[str, Available] = {}
    for one in found:
        name, number = one.name, 2
        while name in kept:
            name, number = f"{one.name} ({number})", number + 1
        kept[name] = replace(one, name=name)
    return tuple(kept.values())
