"""What corpus scores are made of, per captioner, so small that chunks can be added up without their rows.

A metric whose corpus score is not the mean of its segments (BLEU, METEOR) has `total(statistics)`, which adds up, and
`of_total(options, total)`. Undefined segments are counted apart, as `score` reports them.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from capeval_core import registry, service
from capeval_core.errors import CapEvalError, InvalidInput, MetricFailed, MissingResource
from capeval_core.io.writers import plain
from capeval_core.types import Evaluation, Remark, StandIn
from capeval_core.version import VERSION

ERRORS = {kind.__name__: kind for kind in (CapEvalError, MetricFailed, MissingResource)}


@dataclass
class Sums:
    """Of one captioner and one metric key."""

    scored: int = 0  # items the metric is defined on
    total: float = 0.0  # of their segment scores; NaN where one is
    defined: int = 0
    defined_total: float = 0.0
    reason: str = ""  # why the first undefined one is

    def add(self, other: Sums) -> None:
        self.scored += other.scored
        self.total += other.total
        self.defined += other.defined
        self.defined_total += other.defined_total
        self.reason = self.reason or other.reason


@dataclass
class Captioner:
    items: int = 0
    keys: dict[str, Sums] = field(default_factory=dict)
    rows: dict[str, list[float]] = field(default_factory=dict)  # by metric: its total

    def add(self, other: Captioner) -> None:
        self.items += other.items
        for key, sums in other.keys.items():
            self.keys.setdefault(key, Sums()).add(sums)
        for name, row in other.rows.items():
            mine = self.rows.get(name)
            self.rows[name] = row if mine is None else [left + right for left, right in zip(mine, row, strict=True)]


@dataclass
class Totals:
    systems: dict[str, Captioner] = field(default_factory=dict)
    signatures: dict[str, str] = field(default_factory=dict)
    stand_ins: dict[str, StandIn] = field(default_factory=dict)
    facts: dict[str, tuple[Remark, ...]] = field(default_factory=dict)
    skipped: dict[str, CapEvalError] = field(default_factory=dict)

    @classmethod
    def of(cls, found: Evaluation) -> Totals:
        systems = {system: _captioner(found, rows) for system, rows in found.systems().items()}
        facts = {key: tuple(one for one in facts if isinstance(one, Remark)) for key, facts in found.facts.items()}
        return cls(systems, found.signatures, found.stand_ins, facts, found.skipped)

    def add(self, other: Totals) -> None:
        for key, signature in other.signatures.items():
            known = self.signatures.setdefault(key, signature)
            if known != signature:
                raise InvalidInput(
                    f"{key}: parts of this run were scored by different resources",
                    found=f"{known} and {signature}",
                    fix="start again with --fresh",
                )
        for system, captioner in other.systems.items():
            self.systems.setdefault(system, Captioner()).add(captioner)
        for key, facts in other.facts.items():
            self.facts[key] = added(self.facts.get(key, ()), facts)
        self.stand_ins |= other.stand_ins
        self.skipped |= other.skipped

    def as_json(self) -> dict[str, Any]:
        """NaN and all, in the JSON of Python: only we read it."""
        errors = {
            key: {"kind": type(error).__name__, "message": error.message}
            | {name: getattr(error, name) for name in ("expected", "found", "fix")}
            for key, error in self.skipped.items()
        }
        return {
            "systems": {name: dataclasses.asdict(one) for name, one in self.systems.items()},
            "signatures": self.signatures,
            "stand_ins": {key: dataclasses.asdict(one) for key, one in self.stand_ins.items()},
            "facts": {key: [dataclasses.asdict(one) for one in facts] for key, facts in self.facts.items()},
            "skipped": errors,
        }

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Totals:
        systems = {
            name: Captioner(one["items"], {key: Sums(**sums) for key, sums in one["keys"].items()}, one["rows"])
            for name, one in found["systems"].items()
        }
        facts = {
            key: tuple(Remark(one["sentence"], tuple(one["counts"]), one["if_any"]) for one in several)
            for key, several in found["facts"].items()
        }
        stand_ins = {
            key: StandIn(**one | {"unfit_for": tuple(one["unfit_for"])}) for key, one in found["stand_ins"].items()
        }
        skipped = {
            key: ERRORS.get(one["kind"], CapEvalError)(
                one["message"], expected=one["expected"], found=one["found"], fix=one["fix"]
            )
            for key, one in found["skipped"].items()
        }
        return cls(systems, found["signatures"], stand_ins, facts, skipped)

    def summary(self, keys: Sequence[str], options: Mapping[str, Any]) -> dict[str, Any]:
        """As capeval_core.io.writers.summary() makes it of an evaluation."""
        scored = [key for key in keys if key not in self.skipped]
        remarks = {key: service.said(self.facts.get(key, ())) for key in scored}
        return {
            "capeval": VERSION,
            "systems": {name: _summary(one, scored, options) for name, one in self.systems.items()},
            "signatures": {key: self.signatures[key] for key in scored},
            "stand_ins": {key: dataclasses.asdict(self.stand_ins[key]) for key in scored if key in self.stand_ins},
            "remarks": {key: remark for key, remark in remarks.items() if remark},
            "skipped": {key: str(self.skipped[key]) for key in keys if key in self.skipped},
        }


def _captioner(found: Evaluation, rows: Sequence[int]) -> Captioner:
    made = Captioner(len(rows))
    for name in dict.fromkeys(registry.get(key).metric for key in found.scores):
        statistics = found.statistics_of(name, rows)
        keys = [key for key in found.scores if registry.get(key).metric == name]
        for key in keys:
            values = found.scores[key][rows]
            defined = values[~np.isnan(values)]
            undefined = (row for row, value in zip(rows, values.tolist(), strict=True) if math.isnan(value))
            reason = next((found.notes[key].get(row, "") for row in undefined), "")
            scored = values if len(statistics) == len(values) else _scored(found, key, rows)
            made.keys[key] = Sums(len(statistics), math.fsum(scored), len(defined), math.fsum(defined), reason)
        total = getattr(registry.get(keys[0]).load(), "total", None)
        if total is not None and len(statistics):
            made.rows[name] = total(statistics)[0].tolist()
    return made


def _scored(found: Evaluation, key: str, rows: Sequence[int]) -> Any:
    """Those of a metric's values that it made: items without the references it needs have none."""
    return found.scores[key][[row for row in rows if found.items[row].references]]


def _summary(one: Captioner, keys: Sequence[str], options: Mapping[str, Any]) -> dict[str, Any]:
    corpus: dict[str, float] = {}
    for key in keys:
        sums, spec = one.keys.get(key, Sums()), registry.get(key)
        of_total = getattr(spec.load(), "of_total", None)
        if of_total is None or spec.metric not in one.rows:
            corpus[key] = sums.total / sums.scored if sums.scored else math.nan
        else:
            corpus[key] = of_total(options[spec.metric], np.array([one.rows[spec.metric]]))[key]
    means = {key: one.keys.get(key, Sums()) for key in keys}
    return {
        "items": one.items,
        "undefined": {key: one.items - sums.defined for key, sums in means.items() if sums.defined < one.items},
        "corpus": {key: plain(value) for key, value in corpus.items()},
        "mean_of_segments": {
            key: sums.defined_total / sums.defined if sums.defined else None for key, sums in means.items()
        },
    }


def added(mine: Iterable[Remark], others: Iterable[Remark]) -> tuple[Remark, ...]:
    """Facts of two parts of a corpus as facts of both."""
    known = {one.sentence: one for one in mine}
    for one in others:
        known[one.sentence] = known[one.sentence] + one if one.sentence in known else one
    return tuple(known.values())
