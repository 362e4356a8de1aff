"""docs/perturbations.md has a row for every kind, and none below 90 %."""

from __future__ import annotations

import re
from pathlib import Path

from capeval_core.perturb import KINDS

DOCUMENT = Path(__file__).parents[2] / "docs" / "perturbations.md"
ROW = re.compile(r"^\| ([A-Z][\w ]+) \| ([\d.]+) % \| (\d+) % \| \S")


def test_every_kind_was_read_and_is_good_enough() -> None:
    rows = [found.groups() for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if (found := ROW.match(line))]
    assert [label for label, _, _ in rows] == [kind.label for kind in KINDS.values()]
    assert all(90 <= float(good) <= 100 and 0 < int(made) <= 100 for _, good, made in rows)
