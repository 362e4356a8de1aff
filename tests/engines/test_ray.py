"""The Ray engine: the local engine's files, on one node or two, whichever of them dies."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from capeval_core.engines.tasks import Setup
from tests.engines.cases import Watched
from tests.engines.test_local import disturb

pytest.importorskip("ray", reason="Ray is not installed: pip install -r requirements-ray.txt")
pytestmark = pytest.mark.model  # it starts a cluster, which takes as long as a model


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes of one core, for all tests here; runs connect to them in processes of their own."""
    from ray.cluster_utils import Cluster

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    made: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    os.environ["TEST_RAY_ADDRESS"] = made.address
    yield made
    del os.environ["TEST_RAY_ADDRESS"]
    made.shutdown()


def files(folder: Path) -> tuple[bytes, bytes]:
    assert sorted(path.name for path in folder.iterdir()) == ["out.corpus.json", "out.jsonl"]
    return (folder / "out.jsonl").read_bytes(), (folder / "out.corpus.json").read_bytes()


def test_killed_and_started_again_with_the_same_files(
    cluster: Any, source: Path, tmp_path: Path, expected: tuple[bytes, bytes]
) -> None:
    watched = Watched("ray", source, tmp_path / "out.jsonl")
    disturb(watched, "Scoring", 4, watched.pid)
    assert watched.end()[0] == -signal.SIGKILL
    assert len(list((tmp_path / "out.jsonl.parts" / "rows").iterdir())) >= 2
    watched = Watched("ray", source, tmp_path / "out.jsonl")
    assert sum(line.startswith("Counting") for line in watched.lines()) >= 1
    assert watched.end() == (0, "")
    assert files(tmp_path) == expected


def test_a_node_dies(cluster: Any, source: Path, tmp_path: Path, expected: tuple[bytes, bytes]) -> None:
    node = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    watched, scored = Watched("ray", source, tmp_path / "out.jsonl"), 0
    for line in watched.lines():
        scored += line.startswith("Scoring")
        if scored == 4 and line.startswith("Scoring"):
            cluster.remove_node(node, allow_graceful=False)
    assert watched.end() == (0, "")
    assert files(tmp_path) == expected


def test_no_cluster_there_is_one_line(tmp_path: Path) -> None:
    from capeval_core.engines.ray import RayPool
    from capeval_core.errors import InvalidInput

    with pytest.raises(InvalidInput, match=r"no Ray cluster at 127\.0\.0\.1:1"):
        RayPool(Setup(("bleu_1",), {}), 1, "127.0.0.1:1")
