"""One module of a package without the rest of it: the package's own start would import far more than we use.

NLTK's start takes a second (SciPy's statistics, for parts we never call), POT's as long (scikit-learn). While the
module loads, its packages are empty ones. Afterwards all of them are forgotten, so that whoever imports the package
itself gets the whole of it.
"""

from __future__ import annotations

import importlib
import sys
import threading
from importlib.util import find_spec
from types import ModuleType

_LOADING = threading.RLock()


def load(name: str) -> ModuleType:
    """The module of that name; an ImportError as for any import where the package is missing."""
    package = name.partition(".")[0]
    with _LOADING:
        if package in sys.modules:
            return importlib.import_module(name)
        try:
            for parent in _parents(name):
                sys.modules[parent] = _empty(parent)
            return importlib.import_module(name)
        finally:
            for loaded in [one for one in sys.modules if one == package or one.startswith(f"{package}.")]:
                del sys.modules[loaded]


def _parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts))]


def _empty(name: str) -> ModuleType:
    spec = find_spec(name)  # looks for the files only: the packages above it are empty ones already
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    found = ModuleType(name)
    found.__path__ = list(spec.submodule_search_locations)
    found.__spec__ = spec
    return found
