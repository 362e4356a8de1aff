"""One module of a package: it works, the rest of the package is not loaded, and the package is whole for others."""

from __future__ import annotations

import subprocess
import sys

import pytest

from capeval_core.resources import lone_modules

ALONE = """
import sys
from capeval_core.resources import lone_modules
stem = lone_modules.load("nltk.stem.porter").PorterStemmer().stem
again = lone_modules.load("nltk.tokenize.destructive").NLTKWordTokenizer
lone_modules.load("ot.lp.emd_wrap").emd_c
left = [name for name in sys.modules if name.partition(".")[0] in ("nltk", "ot", "sklearn")]
heavy = [name for name in ("scipy.stats", "sklearn") if name in sys.modules]
import nltk
assert nltk.stem.PorterStemmer().stem("riding") == stem("riding") == "ride"
assert nltk.tokenize.NLTKWordTokenizer().tokenize("a dog's day") == again().tokenize("a dog's day")
assert lone_modules.load("nltk.stem.porter") is sys.modules["nltk.stem.porter"]  # whole already: taken as it is
print(left, heavy)
"""


def test_a_module_comes_without_its_package() -> None:
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[] []"


def test_a_missing_package_is_an_import_error_and_leaves_nothing_behind() -> None:
    before = set(sys.modules)
    with pytest.raises(ImportError, match="no_such_package"):
        lone_modules.load("no_such_package.part.module")
    assert set(sys.modules) == before
