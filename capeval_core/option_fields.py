"""One option of a metric: what a form needs to know about it, and which values it can have.

A metric's `Options` is a frozen dataclass made from `Checked`; each field says in its metadata what it may hold. The
functions one_of() to trained() make this metadata.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from capeval_core.errors import InvalidInput

KINDS = ("choice", "number", "whole", "flag", "vectors", "model", "trained")
EXACT = 2**53  # whole numbers below are also exact as numbers


@dataclass(frozen=True, slots=True)
class OptionField:
    name: str
    default: Any
    kind: str  # one of KINDS
    label: str
    help: str
    choices: Mapping[str, str] = field(default_factory=dict)  # value -> in words; for a model, words beside the models
    low: float = 0.0
    high: float | None = None  # no limit
    step: float = 1.0  # of a form's buttons
    other: str = ""  # what Python and the command line may give beside the choices: a path
    of_batch: tuple[str, ...] = ()  # choices with which a score depends on the whole batch
    contextual: bool = False  # the vectors may depend on the words around
    family: str = ""  # whose networks: those of the metric of that name
    depth_of: str = ""  # the field that names the transformer whose depth is the upper bound

    @property
    def expected(self) -> str:
        if self.kind in ("number", "whole"):
            bounds = f", {self.low:g} or more" if self.high is None else f" from {self.low:g} to {self.high:g}"
            return ("a number" if self.kind == "number" else "a whole number") + bounds
        named = {"flag": "true or false", "vectors": "word vectors", "model": "a transformer's name or folder"}
        named["trained"] = "shipped or the path of a trained model"
        return spell([*self.choices, *filter(None, [named.get(self.kind, self.other)])])

    def check(self, value: Any, where: str) -> Any:
        """The value in the field's own type; InvalidInput where it is not one this field can have."""
        if self.kind == "number" and type(value) is int and abs(value) < EXACT:
            value = float(value)
        wanted = {"number": float, "whole": int, "flag": bool}.get(self.kind, str)
        if type(value) is not wanted or not self._holds(value):
            raise InvalidInput(where, expected=self.expected, found=repr(value)[:80])
        return value

    def _holds(self, value: Any) -> bool:
        if self.kind in ("number", "whole"):
            return bool(self.low <= value < math.inf and (self.high is None or value <= self.high))
        if self.kind == "choice":
            return value in self.choices or bool(self.other and value)
        return self.kind == "flag" or bool(value)


def spell(names: Sequence[str]) -> str:
    return " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def one_of(
    label: str, help: str, choices: Mapping[str, str], *, other: str = "", of_batch: tuple[str, ...] = ()
) -> dict[str, Any]:
    return {"kind": "choice", "label": label, "help": help, "choices": choices, "other": other, "of_batch": of_batch}


def number(label: str, help: str, low: float, high: float, step: float) -> dict[str, Any]:
    return {"kind": "number", "label": label, "help": help, "low": low, "high": high, "step": step}


def whole_number(label: str, help: str, low: int, high: int | None = None, *, depth_of: str = "") -> dict[str, Any]:
    return {"kind": "whole", "label": label, "help": help, "low": low, "high": high, "depth_of": depth_of}


def yes_or_no(label: str, help: str) -> dict[str, Any]:
    return {"kind": "flag", "label": label, "help": help}


def word_vectors(label: str, help: str, *, contextual: bool = False) -> dict[str, Any]:
    return {"kind": "vectors", "label": label, "help": help, "contextual": contextual}


def transformer(label: str, help: str, choices: Mapping[str, str] | None = None) -> dict[str, Any]:
    return {"kind": "model", "label": label, "help": help, "choices": choices or {}}


def trained(label: str, help: str, family: str) -> dict[str, Any]:
    return {"kind": "trained", "label": label, "help": help, "family": family}


@dataclass(frozen=True, slots=True)
class Checked:
    """What every metric's `Options` is made from: an object of it is valid."""

    def __post_init__(self) -> None:
        for one in option_fields(type(self)):
            value = one.check(getattr(self, one.name), f"the option {one.name}")
            object.__setattr__(self, one.name, value)  # a whole number given for a number has become one


def option_fields(kind: type[Checked]) -> tuple[OptionField, ...]:
    return tuple(OptionField(one.name, one.default, **one.metadata) for one in dataclasses.fields(kind))
