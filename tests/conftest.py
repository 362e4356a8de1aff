"""What tests of several folders share: `--quick`, which tests go to one worker, an empty hub."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest

from tests.cases import needs_shared

TESTS = Path(__file__).parent

# What loads a model, opens a browser or takes long: `make quick` leaves it out, `make test` does not.
# Of other files it leaves out the tests with the mark `model`, and those that read the large shared files.
NOT_QUICK = (
    "analysis/test_estimated_systems.py", "browser", "cli/test_explain.py", "cli/test_explore.py",
    "cli/test_perturb.py", "cli/test_resources.py", "cli/test_scaling.py", "cli/test_score.py",
    "engines/test_local.py", "engines/test_ray.py", "engines/test_totals.py", "explore/test_errors.py",
    "explore/test_pace.py", "explore/test_planted.py", "figures/test_drawings.py", "figures/test_report.py",
    "figures/test_sentences.py",
    "figures/test_truth.py", "metrics/test_bertscore.py", "metrics/test_i2ce.py", "metrics/test_mima.py",
    "metrics/test_nneval.py", "metrics/test_smurf.py", "metrics/test_spice.py", "metrics/test_spurts.py",
    "metrics/test_typicality.py", "metrics/test_wembsim.py", "metrics/test_wmd.py", "pages/explore/test_odd.py",
    "pages/explore/test_page.py", "pages/guide", "pages/inspect", "pages/judges", "pages/learn", "pages/perturb",
    "pages/shell", "pages/systems", "pages/test_walk.py", "pages/widgets/test_options.py",
    "pages/work/test_interactive.py",
    "pages/work/test_keeping.py", "pages/work/test_reload.py",
    "pages/work/test_preload.py", "pages/work/test_samples.py", "perturb",
    "resources/test_available.py", "resources/test_caption_parser.py", "resources/test_contextual.py",
    "resources/test_elmo.py", "resources/test_gru.py", "resources/test_idf.py", "resources/test_linear.py",
    "resources/test_loading.py",
    "resources/test_lone_modules.py", "resources/test_sentence_model.py", "resources/test_transformer.py",
    "resources/test_vectors.py", "test_laws.py", "test_options.py", "test_pace.py", "test_service.py",
    "test_stand_ins.py", "test_threads.py", "training",
)  # fmt: skip
# A file's tests run on one worker, which so loads a model once; the files of a row on the same one. The longest first:
# the last to end should be a short one.
TOGETHER = (
    ("browser",),  # one server, one browser
    ("metrics/test_typicality.py", "analysis/test_estimated_systems.py"),  # tests.cases.karpathy_passes
    ("pages/test_walk.py",),
    ("metrics/test_spice.py", "resources/test_caption_parser.py"),  # tests.cases.karpathy_parses
    ("test_laws.py",),
)
THEN = ("pages", "metrics", "analysis", "resources", "figures")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="only tests that need neither a model nor a browser")


def pytest_configure(config: pytest.Config) -> None:
    folder = tempfile.mkdtemp(prefix="capeval-sessions-")  # never the user's own
    os.environ["CAPEVAL_SESSIONS"] = folder
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    if config.getoption("quick"):
        sys.meta_path.insert(0, NoModel())


class NoModel:
    """A quick test that loads torch is not quick."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> ModuleSpec | None:
        if name == "torch":
            pytest.fail("this test loads a model: name it in tests/conftest.py, or mark it with pytest.mark.model")
        return None


def place_of(path: Path) -> str:
    return path.relative_to(TESTS).as_posix()


def within(place: str, parts: Sequence[str]) -> str:
    """The first of these files and folders that it is or lies in."""
    return next((part for part in parts if place == part or place.startswith(f"{part}/")), "")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if config.getoption("quick") and within(place_of(collection_path), NOT_QUICK):
        return True
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("quick"):
        slow = [item for item in items if item.get_closest_marker("model") or needs_shared.mark in item.iter_markers()]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]
    items.sort(key=lambda item: turn_of(place_of(item.path)))


def turn_of(place: str) -> int:
    """When a file's turn comes."""
    order = [*TOGETHER, *((folder,) for folder in THEN)]
    return next((turn for turn, group in enumerate(order) if within(place, group)), len(order))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Files of one row go to one worker. xdist's own marks for that do not reach its scheduler with this pytest."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid.split("::")[0].removeprefix("tests/"))

    return ByFile(config, log) if config.getoption("dist") == "loadfile" else None


def group_of(place: str) -> str:
    return next((group[0] for group in TOGETHER if within(place, group)), place)


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty hub cache, gensim folder and environment: whatever this machine happens to have is out of sight."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("GENSIM_DATA_DIR", str(tmp_path / "gensim"))
    for name in ("CAPEVAL_VECTORS", "CAPEVAL_MODELS", "CAPEVAL_TRAINED"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "hub"
