"""Every sentence of the Guide that says something of a metric has a check, and the check holds."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from capeval_core import registry
from pages.guide import guides
from pages.work import lessons
from tests.pages.guide.claims import embedding, encoder, graph, learned, ngram, taught, typicality

MODULES: tuple[ModuleType, ...] = (ngram, graph, embedding, typicality, encoder, learned, taught)
CHECKS: dict[str, Callable[[], None]] = {
    name: function
    for module in MODULES
    for name, function in vars(module).items()
    if callable(function) and not name.startswith("_") and function.__module__ == module.__name__
}
METRICS = registry.metrics()
NOT_CLAIMS = re.compile(r"^\$\$.*\$\$$|^- (reference|A|B|C|page|view|metric|chosen|other): .*$", re.MULTILINE)
SENTENCES = re.compile(r"[.!?]\s+(?=[A-Z*])")


def claims_of(text: str) -> list[tuple[str, str]]:
    """Each claim of a text with the name of its check; "" where a sentence has none."""
    pieces = guides.CHECK.split(NOT_CLAIMS.sub("", text))
    found = [(" ".join(said.split()), check) for said, check in zip(pieces[::2], [*pieces[1::2], ""], strict=True)]
    return [(said, check) for said, check in found if said.strip("-* ")]


def all_claims() -> list[tuple[str, str, str]]:
    texts = {f"{metric}.md": "\n\n".join(guides.written(guides.FOLDER / f"{metric}.md").values()) for metric in METRICS}
    texts |= {path.name: lessons.written(path)["Answer"] for path in lessons.files()}
    return [(name, said, check) for name, text in texts.items() for said, check in claims_of(text)]


CLAIMS = all_claims()


@pytest.mark.parametrize(("file", "said", "check"), CLAIMS, ids=[f"{file} {check}" for file, _, check in CLAIMS])
def test_every_sentence_has_one_check(file: str, said: str, check: str) -> None:
    assert check in CHECKS, f"{file}: no check for: {said}"
    assert not SENTENCES.search(said), f"{file}: two sentences, one check: {said}"


@pytest.mark.parametrize("name", CHECKS)
def test_the_claim_holds(name: str) -> None:
    CHECKS[name]()


def test_no_check_is_left_over() -> None:
    assert set(CHECKS) == {check for _, _, check in CLAIMS}


def test_a_sentence_without_a_check_is_found() -> None:
    assert claims_of("One. <!-- a --> Two.\n\n$$x$$\n- A: a dog") == [("One.", "a"), ("Two.", "")]
    assert SENTENCES.search("One. Two.")


def test_no_check_and_no_placeholder_is_shown(tmp_path: Path) -> None:
    for metric in METRICS:
        for text in guides.guide(metric).sections.values():
            assert "<!--" not in text
            assert not guides.FIGURE.search(text)
