"""What the documents name exists: files and what is in them, make targets, commands, flags, settings, metrics."""

from __future__ import annotations

import argparse
import ast
import re
import shlex
from functools import cache
from pathlib import Path

import pytest

from capeval_core import options, registry
from capeval_core.cli import _parser, settings
from capeval_core.io.limits import APP, megabytes
from capeval_core.resources import files
from pages.shell.navigation import PAGES

ROOT = Path(__file__).parents[1]
README, CONTRIBUTING, ARCHITECTURE = "README.md", "CONTRIBUTING.md", "docs/architecture.md"
DOCUMENTS = (
    README,
    CONTRIBUTING,
    ARCHITECTURE,
    "docs/perturbations.md",
    "docs/explore.md",
    "docs/scale.md",
    "assets/samples/README.md",
)
SOURCES = ("app.py", "pages", "capeval_core", "tests", "assets", "docs", "bench", "static")
# What stands for any name in a recipe, and one that has everything the recipes ask for.
ANY = {"<key>": "wmd", "<metric>": "wmd", "<page>": "systems"}
ENDINGS = (".py", ".js", ".css", ".md", ".toml", "/")
COMMAND = re.compile(r"-m capeval_core (.+)")
each_document = pytest.mark.parametrize("document", DOCUMENTS)


@cache
def text(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def inline(document: str) -> list[str]:
    """What stands between backticks inside a line."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", text(document), flags=re.MULTILINE | re.DOTALL))


def code(document: str) -> list[str]:
    """Lines that are typed as they stand; one that ends in a backslash goes on."""
    return re.findall(r"^    (.+)$", text(document).replace("\\\n", ""), flags=re.MULTILINE)


def paths(document: str) -> list[tuple[str, str]]:
    """(path, name in that file or nothing), as the document writes them: `pages/work/jobs.py:Jobs`."""
    found = []
    typed = [word for line in code(document) for word in line.split() if word.startswith("tests/")]
    for word in [*inline(document), *typed, *re.findall(r"\]\(([^)#:]+)\)", text(document))]:
        path, _, name = word.partition(":")
        if re.fullmatch(r"[\w.<>/-]+", path) and (path.endswith(ENDINGS) or path.split("/")[0] in SOURCES):
            found.append((path, name))
    return found


def place(path: str, document: str) -> Path:
    """From the top of the project, or beside the document."""
    for any_name, one in ANY.items():
        path = path.replace(any_name, one)
    return ROOT / path if (ROOT / path).exists() else (ROOT / document).parent / path


@cache
def names(path: Path) -> set[str]:
    """The functions, classes and constants of a file."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".js":
        return set(re.findall(r"^function (\w+)\(", source, flags=re.MULTILINE))
    found = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {one.id for one in targets if isinstance(one, ast.Name)}
    return found


@each_document
def test_every_file_and_every_name_in_it_exists(document: str) -> None:
    assert paths(document)
    for path, name in paths(document):
        found = place(path, document)
        assert found.exists(), f"{document}: {path}"
        assert not name or name in names(found), f"{document}: {path}:{name}"


def test_the_drawing_of_the_house_shows_what_is_there() -> None:
    (drawing,) = re.findall(r"^```$(.*?)^```$", text(ARCHITECTURE), flags=re.MULTILINE | re.DOTALL)
    drawn = set(re.findall(r"\w+/|\w+\.py", drawing))
    assert {"pages/", "work/", "metrics/", "service.py"} <= drawn
    for one in drawn:
        assert [top for top in ("", "pages", "capeval_core", "pages/inspect") if (ROOT / top / one).exists()], one
    folders = [
        path for top in ("pages", "capeval_core") for path in (ROOT / top).iterdir() if (path / "__init__.py").exists()
    ]
    assert {path.name for path in folders} - {one.rstrip("/") for one in drawn} <= {"training"}


def test_at_least_ten_rows_say_which_file_to_open() -> None:
    rows = text(ARCHITECTURE).split("| change | file |")[1].strip().splitlines()[1:]
    assert len(rows) >= 10
    assert all("`" in row.split("|")[2] for row in rows)


@each_document
def test_every_make_target_exists(document: str) -> None:
    known = set(re.findall(r"^([\w-]+):(?!=)", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    lines = [line.split("#")[0] for line in code(document)]
    used = {name for line in [*lines, *inline(document)] for name in re.findall(r"\bmake ([a-z][\w-]*)", line)}
    assert used <= known, f"{document}: {used - known}"


def test_everyday_targets_are_named() -> None:
    for document in (README, CONTRIBUTING):
        assert all(f"make {target}" in text(document) for target in ("run", "quick", "test"))
    assert all(f"`{document}`" in text(README) for document in (CONTRIBUTING, ARCHITECTURE))


@cache
def commands() -> dict[str, argparse.ArgumentParser]:
    return _below(_parser())


def _below(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    found = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(found[0].choices) if found else {}


def command_lines() -> list[tuple[str, str]]:
    """(document, what follows `python -m capeval_core`); of text in a line only what is a whole command."""
    typed = [(one, found[1]) for one in DOCUMENTS for line in code(one) if (found := COMMAND.search(line))]
    return typed + [(one, word) for one in DOCUMENTS for word in inline(one) if word.split()[0] in commands()]


@pytest.mark.parametrize(("document", "line"), command_lines())
def test_every_command_is_understood(document: str, line: str) -> None:
    words = shlex.split(line, comments=True)
    parser = commands()[words[0]]
    if len(words) > 2:  # else it is only named: `score`, `resources rebuild`, `perturb --kinds`
        given = _parser().parse_args(words)
        if hasattr(given, "set"):
            settings.options(given)
    if (deeper := _below(parser)) and len(words) > 1:
        parser = deeper[words[1]]
    assert {word for word in words if word.startswith("--")} <= flags(parser), f"{document}: {line}"


def flags(parser: argparse.ArgumentParser) -> set[str]:
    return {flag for action in parser._actions for flag in action.option_strings}


@each_document
def test_every_flag_and_every_option_of_a_metric_exists(document: str) -> None:
    every = [one for parser in commands().values() for one in (parser, *_below(parser).values())]
    known = {flag for parser in every for flag in flags(parser)}
    for word in inline(document):
        if word.startswith("--"):
            assert word.split()[0] in known, f"{document}: {word}"
        if re.match(r"--set [a-z]", word):
            settings.options(_parser().parse_args(["score", "x", *word.split()]))
        metric, dot, name = word.partition(".")
        if dot and metric in registry.metrics():
            assert name in {field.name for field in options.fields(metric)}, f"{document}: {word}"


def test_every_command_is_in_the_readme() -> None:
    shown = {line.split()[0] for document, line in command_lines() if document == README}
    assert shown == set(commands())


def test_every_metric_is_in_the_table_with_its_range() -> None:
    rows: dict[str, tuple[float, float]] = {}
    for keys, span in re.findall(
        r"^\| (`[a-z_0-9`, ]+) \| [^|]+ \| (-?[\d.]+ to [\d.]+) \|", text(README), flags=re.MULTILINE
    ):
        low, high = map(float, span.split(" to "))
        rows |= dict.fromkeys(re.findall(r"`(\w+)`", keys), (low, high))
    assert rows == {key: registry.get(key).bounds for key in registry.keys()}


def test_every_page_and_every_limit_is_in_the_readme() -> None:
    for _, title, _, _ in PAGES:
        assert f"- **{title}**" in text(README)
    said = " ".join(text(README).split())
    for limit in (
        f"{megabytes(APP.upload)} per file and {APP.files} files, {megabytes(APP.unpacked)} unpacked",
        f"{APP.captions:,} captions of {APP.characters:,} characters with {APP.references} references each",
        f"{APP.captioners} captioners, {APP.images:,} images of {megabytes(APP.image)}",
    ):
        assert limit in said


def test_settings_are_read_by_the_code_and_told_in_the_readme() -> None:
    folders = (ROOT / "capeval_core", ROOT / "pages")
    code_of_ours = "".join(path.read_text(encoding="utf-8") for folder in folders for path in folder.rglob("*.py"))
    read = set(re.findall(r'"(CAPEVAL_[A-Z]+)"', code_of_ours))
    own = {resource.variable for resource in files.RESOURCES.values()}
    assert read == {f"CAPEVAL_{name}" for name in ("VECTORS", "MODELS", "TRAINED", "CACHE", "PRELOAD", "SESSIONS")}
    assert read <= set(inline(README))
    for document in DOCUMENTS:
        assert set(re.findall(r"\bCAPEVAL_[A-Z_0-9]*[A-Z0-9]\b", text(document))) <= read | own
