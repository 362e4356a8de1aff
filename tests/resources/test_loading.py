"""load_once: one load whatever the threads, errors forgotten, the least recently used let go; every loader has it."""

from __future__ import annotations

import ast
import gc
import gzip
import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import capeval_core
from capeval_core.resources import caption_parser, paraphrases, transformer
from capeval_core.resources.hub import NEEDED
from capeval_core.resources.loading import load_once

ROOT = Path(capeval_core.__file__).parent
THREADS = 8


def at_once(ask: Callable[[], object]) -> list[object]:
    """What `ask` gave, or raised, in each of 8 threads that start together."""
    start = threading.Barrier(THREADS)

    def run() -> object:
        start.wait()
        try:
            return ask()
        except ValueError as error:
            return error

    with ThreadPoolExecutor(THREADS) as pool:
        return [job.result() for job in [pool.submit(run) for _ in range(THREADS)]]


def test_threads_that_ask_together_get_the_result_of_one_load() -> None:
    loads = []

    @load_once()
    def load(name: str) -> object:
        loads.append(name)
        time.sleep(0.05)
        return object()

    found = at_once(lambda: load("a"))
    assert loads == ["a"]
    assert len(set(map(id, found))) == 1
    assert load("a") is found[0]


def test_defaults_and_keywords_are_the_same_arguments() -> None:
    @load_once()
    def load(name: str, device: str = "cpu") -> object:
        return object()

    assert load("a") is load("a", "cpu") is load(name="a") is load(device="cpu", name="a")
    assert load("a") is not load("a", "cuda")


def test_other_arguments_load_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=10)  # breaks unless both loads are under way

    @load_once()
    def load(name: str) -> str:
        both.wait()
        return name

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(load, ["a", "b"])) == ["a", "b"]


def test_an_error_is_not_remembered() -> None:
    loads = []

    @load_once()
    def load() -> str:
        loads.append(1)
        time.sleep(0.01)
        if len(loads) == 1:
            raise ValueError("not yet")
        return "here"

    found = at_once(load)
    assert [str(one) for one in found if isinstance(one, ValueError)] == ["not yet"]
    assert found.count("here") == THREADS - 1
    assert len(loads) == 2  # the first thread that had waited loaded for all of them


def test_a_loader_may_call_another() -> None:
    loads = []

    @load_once()
    def inner(name: str) -> str:
        loads.append(name)
        time.sleep(0.01)
        return name

    @load_once()
    def outer(name: str) -> str:
        loads.append(f"outer {name}")
        return inner(name) + inner("both")

    numbers = iter(range(THREADS))
    found = at_once(lambda: outer(str(next(numbers) % 2)))
    assert sorted(set(map(str, found))) == ["0both", "1both"]
    assert sorted(loads) == ["0", "1", "both", "outer 0", "outer 1"]


def test_a_loader_that_asks_for_itself_fails_and_does_not_hang() -> None:
    @load_once()
    def load() -> object:
        return load()

    with pytest.raises(RecursionError):
        load()


def test_the_least_recently_used_is_let_go() -> None:
    loads = []

    @load_once(keep=2)
    def load(name: str) -> str:
        loads.append(name)
        return name

    for name in "abacab":  # c lets b go: a was used after it
        load(name)
    assert loads == ["a", "b", "c", "b"]


class Model:
    """Large: it has weak references, as our own classes do."""

    def __init__(self, name: str) -> None:
        self.name = name


def test_what_is_in_use_is_not_loaded_twice() -> None:
    loads = []

    @load_once(keep=1)
    def load(name: str) -> Model:
        loads.append(name)
        return Model(name)

    used = load("a")
    load("b")  # lets a go
    assert load("a") is used  # but somebody works with it
    load("b")
    assert loads == ["a", "b", "b"]
    del used
    gc.collect()
    assert load("a").name == "a"
    assert loads == ["a", "b", "b", "a"]


def test_what_nobody_uses_leaves_memory() -> None:
    @load_once(keep=2)
    def load(name: str) -> Model:
        return Model(name)

    seen = [weakref.ref(load(name)) for name in "abcd"]
    gc.collect()
    assert [one() is not None for one in seen] == [False, False, True, True]


def test_models_are_not_kept_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[weakref.ref[Model]] = []

    def opener(name: str, *parts: object) -> Model:
        found = Model(name)
        opened.append(weakref.ref(found))
        return found

    monkeypatch.setattr(transformer._load, "_make", opener)
    monkeypatch.setattr(transformer, "find", lambda source: tmp_path)
    for name in NEEDED:
        (tmp_path / name).touch()
    transformer._load.cache_clear()
    for number in range(10):
        transformer.open_transformer(f"model-{number}")
    gc.collect()
    assert sum(one() is not None for one in opened) == transformer.KEPT
    transformer._load.cache_clear()


def test_what_is_loading_is_not_let_go() -> None:
    loads, going, go = [], threading.Event(), threading.Event()

    @load_once(keep=1)
    def load(name: str) -> str:
        loads.append(name)
        if name == "slow":
            going.set()
            assert go.wait(10)
        return name

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(load, "slow")
        assert going.wait(10)
        load("quick")
        second = pool.submit(load, "slow")
        go.set()
        assert first.result() == second.result() == "slow"
    assert loads == ["slow", "quick"]


def test_cache_clear_loads_anew() -> None:
    @load_once()
    def load() -> object:
        return object()

    before = load()
    load.cache_clear()
    assert load() is not before


def test_the_models_are_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[str] = []
    wrap, parse = transformer.Transformer.__init__, caption_parser.CaptionParser.load

    def opened(self: transformer.Transformer, *given: Any) -> None:
        loads.append("minilm")
        wrap(self, *given)

    def parsed(*given: Any) -> caption_parser.CaptionParser:
        loads.append("parser")
        return parse(*given)

    monkeypatch.setattr(transformer.Transformer, "__init__", opened)
    monkeypatch.setattr(caption_parser.CaptionParser, "load", parsed)
    transformer._load.cache_clear()
    caption_parser.caption_parser.cache_clear()
    assert len(set(map(id, at_once(lambda: transformer.open_transformer("minilm"))))) == 1
    assert len(set(map(id, at_once(lambda: caption_parser.caption_parser("cpu"))))) == 1
    assert loads == ["minilm", "parser"]


def test_the_paraphrase_index_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "table.gz"
    table.write_bytes(gzip.compress(b"0.5\na dog\na hound\n"))
    monkeypatch.setenv("CAPEVAL_CACHE", str(tmp_path))
    builds: list[Path] = []

    def build(path: Path, **_: object) -> Path:
        builds.append(path)
        time.sleep(0.05)
        return made(table, path)

    made = paraphrases.build
    monkeypatch.setattr(paraphrases, "build", build)
    found = at_once(paraphrases.open_index)
    assert len(builds) == 1
    assert {len(one.targets) for one in found if isinstance(one, paraphrases.ParaphraseIndex)} == {1}


# Results of a word or a number, or cheap to make: computed twice at worst. Whatever reads a data file has load_once.
# (figures/ only draws: what it keeps is made of its own templates.)
PURE = {
    "text/stopwords.py": {"stopwords"},  # 0.2 ms
    "text/ptb.py": {"_last_word", "_scanner"},  # 20 ms; its states are built lazily, each once
    "text/stems.py": {"stem"},
    "resources/wordnet.py": {"synsets", "related"},
    "resources/paraphrase_table.py": {"word_number"},
    "metrics/spice/scene.py": {"concept"},
    "metrics/meteor/links.py": {"paraphrase_links", "word_key"},
    "metrics/meteor/sentences.py": {"_alone", "_single_place"},
    "perturb/thesaurus.py": {"vector", "_from_wordnet", "paired"},
    "perturb/hypernyms.py": {"hypernyms"},
    "perturb/chunks.py": {"names_people"},
    "explore/acts.py": {"same_act"},
    "explore/things.py": {"same", "alike"},
}


SOURCES = [path for path in sorted(ROOT.rglob("*.py")) if path.parent.name != "figures"]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_loader_is_left_to_functools(path: Path) -> None:
    cached = {
        node.name
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and any("cache" in ast.unparse(decorator) for decorator in node.decorator_list)
    }
    assert cached <= PURE.get(str(path.relative_to(ROOT)), set())
