"""Resources that stand in for a paper's own, in words; each comes with the label of the metric it is behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from capeval_core.types import StandIn

UNFIT = (
    "an estimate that is not fit for this kind of change: it finds less than half of such a change, or nobody has "
    "measured it (capeval_core/data/typicality.md)"
)


def unfit(stand_in: StandIn | None, kind: str) -> bool:
    """Is the number an estimate that is not fit for this kind of change (a key of capeval_core.perturb)?"""
    return stand_in is not None and kind in stand_in.unfit_for


def about(found: StandIn) -> Iterator[str]:
    """What is used, how far it may be off, and how to use the original."""
    yield f"{found.badge}."
    if found.error:
        yield f"Nine in ten captions are within ± {found.error:.2f} of the paper's value."
    yield f"To use the original: {found.fix}"


def lines(standing: Mapping[str, StandIn]) -> Iterator[str]:
    """One line per stand-in: the metrics it is behind, what it stands in for, and how to use the original."""
    behind: dict[StandIn, list[str]] = {}
    for label, found in standing.items():
        behind.setdefault(found, []).append(label)
    for found, labels in behind.items():
        yield f"{', '.join(labels)}: {' '.join(about(found))}"


def summary(standing: Mapping[str, StandIn]) -> str:
    """One line for all of them, or nothing."""
    words: dict[str, list[str]] = {"stand-in": [], "estimated": []}
    for label, found in standing.items():
        words[found.word].append(f"{label} (± {found.error:.2f})" if found.error else label)
    parts = []
    if words["stand-in"]:
        parts.append(f"{_list(words['stand-in'], 'uses', 'use')} stand-ins for the papers' resources")
    if words["estimated"]:
        parts.append(f"{_list(words['estimated'], 'is', 'are')} estimated")
    return f"≈ {'; '.join(parts)}." if parts else ""


def _list(names: list[str], one: str, many: str) -> str:
    said = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return f"{said} {many if len(names) > 1 else one}"
