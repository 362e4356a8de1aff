"""Walks over all pages: whatever a visitor does, in whatever order, no page fails."""

from __future__ import annotations

import pytest

from capeval_core import registry
from capeval_core.io.workspace import StoredWorkspace
from pages.systems import state
from pages.work import share
from pages.work.samples import samples
from tests.pages.acts import Act
from tests.pages.walk import walk

# Models make a walk slow, not better: what is tested here is the pages. `make walk` takes all metrics.
DEAR = {spec.label for spec in registry.select(None) if spec.resources}
QUICK = tuple(spec.key for spec in registry.select(None) if not spec.resources)


def link() -> dict[str, str]:
    """The first sample by metrics that need no model."""
    first = samples()[0]
    captions = tuple(first.candidates.items())
    packed = share.encode(StoredWorkspace(first.references, captions, QUICK, sample=first.id))
    assert packed
    return {share.PARAMETER: packed}


def cheap(act: Act) -> bool:
    chosen = act.value if isinstance(act.value, list) else [act.value]
    return "metrics all" not in act.name and not any(isinstance(one, str) and one in DEAR for one in chosen)


@pytest.mark.parametrize("seed", range(5))
def test_a_walk_meets_no_error(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "first_keys", lambda data: list(QUICK))
    walk(seed, query=link(), wanted=cheap)
