"""The boundaries of DESIGN.md: who imports whom, what a notebook gets, and what importing costs."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import capeval_core

ROOT = Path(capeval_core.__file__).parent
# Each layer may use itself and these; nothing points back.
ALLOWED = {
    "errors": set(),
    "version": set(),
    "pace": set(),
    "text": {"errors", "pace"},
    "resources": {"errors", "pace", "text", "version"},
    "shared": {"errors", "pace", "text", "resources", "types"},
    "types": {"errors"},
    "registry": {"errors", "types", "shared"},
    "option_fields": {"errors"},
    "options": {"errors", "option_fields", "registry", "resources"},
    "metrics": {"errors", "types", "pace", "shared", "text", "resources", "option_fields"},
    "service": {"errors", "types", "pace", "shared", "registry", "options", "resources", "text", "version"},
    "analysis": {"errors", "types", "pace", "shared", "registry", "service", "resources"},
    "perturb": {"errors", "types", "pace", "shared", "text", "resources", "registry", "service", "analysis"},
    # judges words with perturb's lists of them, so it stands above perturb and analysis
    "explore": {"errors", "types", "pace", "shared", "text", "resources", "perturb", "analysis"},
    "io": {"errors", "types", "version"},
    "engines": {
        "errors",
        "types",
        "shared",
        "registry",
        "options",
        "service",
        "resources",
        "text",
        "io",
        "explore",  # captions whose words are judged go to workers too
        "version",
    },
    # of metrics and analyses the types of their results only: see test_figures_know_results_and_no_code_behind_them
    "figures": {"errors", "types", "registry", "metrics", "analysis", "explore"},
    "training": {
        "pace",
        "perturb",  # NNEval's machine captions
        "service",  # and the scores it learns from
        "errors",
        "types",
        "metrics",
        "text",
        "resources",
        "version",
    },  # metrics: what is learned from is fused
    "cli": {
        "errors",
        "types",
        "registry",
        "option_fields",
        "options",
        "service",
        "engines",
        "analysis",
        "perturb",
        "explore",
        "figures",
        "io",
        "text",
        "resources",
        "training",
        "version",
    },
    "__init__": {"errors", "types", "service", "version"},
    "__main__": {"cli"},
}
HEAVY = {"torch", "spacy", "transformers", "safetensors"}  # only in these folders
HEAVY_FOLDERS = (ROOT / "resources", ROOT / "training", ROOT / "metrics" / "typicality")


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_follow_the_data_flow(path: Path) -> None:
    layer = path.relative_to(ROOT).parts[0].removesuffix(".py")
    for name in imports(path):
        package, *rest = name.split(".")
        assert package != "streamlit", f"{path} imports streamlit"
        assert package not in HEAVY or path.parent in HEAVY_FOLDERS, f"{path} imports {package}"
        if package == "capeval_core" and rest and rest[0] != layer:
            named = rest[0] if (ROOT / f"{rest[0]}.py").exists() or (ROOT / rest[0]).is_dir() else "__init__"
            assert named in ALLOWED[layer], f"{path} imports {name}"


PAGES = ROOT.parent / "pages"
SHARED = {"shell", "work", "widgets", "web"}
# Folders of pages/ that several pages use, and what each of them may use beside itself and the core.
PAGES_ALLOWED = {"shell": {"web", "work"}, "web": {"work"}, "work": set(), "widgets": {"shell", "web", "work"}}


@pytest.mark.parametrize("path", sorted(PAGES.rglob("*.py")), ids=lambda path: str(path.relative_to(PAGES)))
def test_a_page_uses_what_is_shared_and_never_another_page(path: Path) -> None:
    folder = path.relative_to(PAGES).parts[0]
    for name in imports(path):
        package, *rest = name.split(".")
        if package == "pages":
            assert rest[0] in {folder} | PAGES_ALLOWED.get(folder, SHARED), f"{path} imports {name}"
        assert package not in HEAVY, f"{path} imports {package}"


@pytest.mark.parametrize("path", sorted((ROOT / "figures").glob("*.py")), ids=lambda path: path.name)
def test_figures_know_results_and_no_code_behind_them(path: Path) -> None:
    """A drawing reads finished results: from a metric or an analysis it takes classes of plain data, never code."""
    for name in imports(path):
        if name == "capeval_core.explore.kinds.KINDS":
            continue  # a table, as the registry is
        if name.startswith(("capeval_core.metrics.", "capeval_core.analysis.", "capeval_core.explore.")):
            module, _, taken = name.rpartition(".")
            found = getattr(importlib.import_module(module), taken)
            assert dataclasses.is_dataclass(found), f"{path} imports {name}"


def test_a_notebook_gets_these_names() -> None:
    assert sorted(capeval_core.__all__) == [
        "CapEvalError",
        "CaptionItem",
        "Evaluation",
        "Explanation",
        "InvalidInput",
        "MetricFailed",
        "MetricResult",
        "MissingResource",
        "__version__",
        "evaluate",
        "explain",
    ]
    assert all(hasattr(capeval_core, name) for name in capeval_core.__all__)


def test_import_is_light_and_fast() -> None:
    heavy = {"torch", "spacy", "plotly", "pandas", "streamlit"}
    code = f"import sys, capeval_core; print(*sorted({heavy} & set(sys.modules)))"
    seconds = []
    for command in ("pass", code, code, code):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)  # processor time: the other tests run beside this one
        done = subprocess.run(
            [sys.executable, "-c", command], capture_output=True, text=True, check=True, cwd=ROOT.parent
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        assert done.stdout.strip() == ""
    assert min(seconds[1:]) - seconds[0] < 0.3


def test_one_place_is_called_typicality() -> None:
    assert [path for path in ROOT.rglob("*typicality*") if path.parent != ROOT / "data" and path.suffix != ".pyc"] == [
        ROOT / "metrics" / "typicality"
    ]


def test_options_are_read_without_torch() -> None:
    code = (
        "import sys; from capeval_core import registry; "
        "[registry.get(key).module().Options() for key in registry.keys()]; "
        "print(*sorted({'torch', 'safetensors', 'transformers', 'nltk'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT.parent)
    assert done.stdout.strip() == ""
