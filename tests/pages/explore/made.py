"""Findings made by hand: no model is needed."""

from __future__ import annotations

from collections.abc import Sequence

from capeval_core import CaptionItem
from capeval_core.explore.findings import CaptionFindings, Error, WordSupport

REFERENCES = ("a dog runs over the grass", "a brown dog on a lawn")


def finding(item: CaptionItem, *errors: tuple[str, str, float]) -> CaptionFindings:
    """Errors: kind, words, strength; the strongest first."""
    found = []
    for kind, words, strength in errors:
        start = item.candidate.find(words)
        spans = ((start, start + len(words)),) if start >= 0 else ()
        found.append(Error(kind, words, strength, f"nobody says {words}", spans, 0))
    support = tuple(
        WordSupport(word, 0.9 if word in " ".join(item.references) else 0.2, "dog", True, (start, start + len(word)))
        for word in item.candidate.split()
        if (start := item.candidate.find(word)) >= 0
    )
    return CaptionFindings(
        item.image_id, item.system, item.candidate, item.candidate, support, 0.5, (), tuple(found),
        0 if item.references else None,
    )  # fmt: skip


def captions(count: int, systems: Sequence[str] = ("old", "new")) -> list[CaptionItem]:
    return [
        CaptionItem(
            f"i{number // len(systems)}", f"a dog near a wall {number}", REFERENCES, systems[number % len(systems)]
        )
        for number in range(count)
    ]
