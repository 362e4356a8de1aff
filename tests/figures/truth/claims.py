"""What a sentence says, read back: every clause is one of a few templates, and each template has its own check.

The checks compute from the explanation again, in their own way. A clause that fits no template, a number that is not
the evidence's, a superlative that something else beats: each is a contradiction.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from capeval_core.figures.evidence import Evidence
from capeval_core.figures.words import quoted

WORD = r"“[^”]*”"
NUMBER = r"(?:under 0\.01|over -0\.01|-?\d+\.\d\d)"
SHARE = r"(?:under 1%|over 99%|\d+%)"
COUNT = r"\d[\d,]*"
LIST = rf"(?:{WORD}(?: \({NUMBER}\))?|{COUNT} more)(?:(?:, | and | or )(?:{WORD}(?: \({NUMBER}\))?|{COUNT} more))*"
SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Claim:
    name: str
    pattern: re.Pattern[str]
    holds: Callable[[re.Match[str], Any, Evidence], bool]


def claim(name: str, pattern: str, holds: Callable[[re.Match[str], Any, Evidence], bool]) -> Claim:
    filled = pattern
    for word in ("WORD", "NUMBER", "SHARE", "COUNT", "LIST"):
        filled = filled.replace(f"<{word}>", f"({globals()[word]})")
    return Claim(name, re.compile(filled), holds)


def read(sentence: str, claims: Sequence[Claim], explanation: Any, evidence: Evidence) -> tuple[Counter[str], str]:
    """How often each template was met and held; and the contradiction, if there is one."""
    found: Counter[str] = Counter()
    note = explanation.note and explanation.note[0].upper() + explanation.note[1:].removesuffix(".")
    at = 0
    while at < len(sentence):
        rest = sentence[at:]
        if rest == "." or (note and rest in (f". {note}.", f"{note}.")):
            return found, ""
        met = next((one for one in claims if one.pattern.match(sentence, at)), None)
        if met is None:
            return found, f"nobody checks: {rest!r}"
        match = met.pattern.match(sentence, at)
        assert match
        if match.end() == at or not met.holds(match, explanation, evidence):
            return found, f"{met.name} does not hold: {match.group()!r}"
        found[met.name] += 1
        at = match.end()
    return found, "" if sentence.endswith(".") else "no full stop"


def is_number(text: str, value: float) -> bool:
    """Two decimals, and no false zero."""
    if text == "under 0.01":
        return 0 < value < 0.005
    if text == "over -0.01":
        return -0.005 < value < 0
    return abs(float(text) - value) <= 0.005 + SLACK and (value == 0 or abs(value) >= 0.005 - SLACK)


def is_share(text: str, value: float) -> bool:
    if text == "under 1%":
        return 0 < value < 0.005
    if text == "over 99%":
        return 0.995 <= value < 1
    return (
        abs(int(text[:-1]) / 100 - value) <= 0.005 + SLACK
        and (text != "100%" or value >= 1)
        and (text != "0%" or value == 0)
    )


def is_count(text: str, value: int) -> bool:
    return text == f"{value:,}" or text == str(value)


def listed(text: str) -> tuple[list[str], int]:
    """The quoted words of a list, and how many more there are."""
    more = re.search(rf"({COUNT}) more$", text)
    return re.findall(WORD, text), int(more.group(1).replace(",", "")) if more else 0


def names(text: str, every: Sequence[str], most: int) -> bool:
    """The list names the first of these, and counts the others."""
    said, more = listed(text)
    shown = [quoted(word) for word in every]
    return said == shown[:most] and more == max(len(every) - most, 0)


def ahead(values: dict[Any, float], chosen: Sequence[Any]) -> bool:
    """Nothing that was not chosen has more."""
    return min(values[one] for one in chosen) >= max(
        (v for key, v in values.items() if key not in chosen), default=-1e9
    )
