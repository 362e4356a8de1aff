"""A score as one line of arithmetic, each number with the part of the evidence that shows it.

The line is exact as it stands: whoever computes with its printed numbers finds the printed score. So it is written with
as few digits as that takes.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from capeval_core.figures.numbers import score

FEWEST, MOST = 2, 12  # digits after the point
MANY = 12  # numbers of a mean that are written out
SIGNS = str.maketrans({"×": "*", "−": "-"})
WORDS = re.compile(r"(?!exp\b|max\b|min\b)\b[a-zA-Z][a-zA-Z']*")  # what is said beside the numbers
OPERATORS: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
FUNCTIONS: dict[str, Callable[..., float]] = {"exp": math.exp, "max": max, "min": min}


@dataclass(frozen=True, slots=True)
class Term:
    text: str
    part: str = ""  # the name of the part of the evidence where the number is drawn


@dataclass(frozen=True, slots=True)
class Number:
    value: float  # written without a point where it is whole
    part: str = ""


Formula = Sequence[str | Number | Term]  # a Term stands as it is


def line(name: str, formula: Formula, value: float) -> tuple[Term, ...]:
    """`name: formula = value`"""
    written = next((found for digits in range(FEWEST, MOST) if _gives(found := _write(formula, digits), value)), None)
    terms = written or _write(formula, MOST)
    return Term(f"{name}: "), *terms, Term(f" = {score(value)}")


def nothing(name: str, reason: str) -> tuple[Term, ...]:
    """A score of 0 that no formula gives."""
    return (Term(f"{name}: 0, as {reason}"),)


def fraction(above: int, below: int, part: str) -> Formula:
    return Number(above, part), "/", Number(below, part)


def joined(formulas: Sequence[Formula], sign: str) -> Formula:
    """a + b + c"""
    return [piece for place, one in enumerate(formulas) for piece in (*((sign,) if place else ()), *one)]


def harmonic(left: Formula, right: Formula) -> Formula:
    """The F-score of two shares."""
    return ["2 × ", *left, " × ", *right, " / (", *left, " + ", *right, ")"]


def mean(values: Sequence[float], part: str) -> Formula:
    """(a + b + c) / 3; of very many the rest is one number."""
    if len(values) == 1:
        return [Number(values[0], part)]
    shown = [[Number(value, part)] for value in values[:MANY]]
    rest: list[Formula] = [[Number(math.fsum(values[MANY:]), part), " for the others"]]
    return ["(", *joined(shown + rest if len(values) > MANY else shown, " + "), f") / {len(values)}"]


def text(terms: Sequence[Term]) -> str:
    return "".join(term.text for term in terms)


def worth(written: str) -> float:
    """What the arithmetic gives that stands in a text; words in it are passed over."""
    plain = WORDS.sub("", written).translate(SIGNS).replace("^", "**")
    return _value(ast.parse(plain.strip(), mode="eval").body)


def _write(formula: Formula, digits: int) -> tuple[Term, ...]:
    found = []
    for piece in formula:
        if isinstance(piece, Number):
            whole = piece.value == int(piece.value)
            found.append(Term(f"{piece.value:.{0 if whole else digits}f}", piece.part))
        else:
            found.append(Term(piece) if isinstance(piece, str) else piece)
    return tuple(found)


def _gives(terms: Sequence[Term], value: float) -> bool:
    try:
        return score(worth(text(terms))) == score(value)
    except ZeroDivisionError:  # a small number that was rounded to 0
        return False


def _value(node: Any) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.BinOp(left=left, op=op, right=right):
            return OPERATORS[type(op)](_value(left), _value(right))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.Call(func=ast.Name(id=name), args=args):
            return FUNCTIONS[name](*map(_value, args))
    raise ValueError(f"no arithmetic: {ast.dump(node)}")
