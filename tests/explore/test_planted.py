"""Errors planted by `perturb` in Flickr30k's validation captions, and people's own captions left as they are.

Lower bounds just under what was measured on this sample; docs/explore.md has those of more captions.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from bench.explore import NAMED, planted, validation
from capeval_core.explore.analyse import analyse
from capeval_core.shared import Shared
from tests.cases import needs_shared

pytestmark = needs_shared
CAPTIONS = 60
LEAST = {
    "wrong_colour": 95, "wrong_count": 91, "repeated_phrase": 99, "truncated": 80, "swapped_roles": 75,
    "replace_person": 81, "replace_scene": 72,
}  # fmt: skip
MOST = {"wrong_colour": 3, "wrong_count": 3, "repetition": 3, "broken_ending": 3}  # false alarms per 100


@cache
def shared() -> Shared:
    return Shared()


def test_planted_errors_are_found_and_named() -> None:
    found = planted(validation(CAPTIONS), shared(), among=True)
    made, named = Counter(one.kind for one in found), Counter(one.kind for one in found if one.found)
    shares = {kind: 100 * named[kind] / made[kind] for kind in NAMED}
    assert all(shares[kind] >= LEAST[kind] for kind in NAMED), shares


@pytest.mark.parametrize("kind", MOST)
def test_peoples_captions_are_hardly_blamed(kind: str) -> None:
    found = analyse(validation(CAPTIONS), shared=shared())
    assert sum(kind in one.kinds for one in found) <= MOST[kind] * CAPTIONS / 100
