"""What I2CE's sentence says, checked from the explanation."""

from __future__ import annotations

import re
from typing import Any

from capeval_core.figures.evidence import Evidence
from tests.figures.truth.claims import Claim, claim, is_number, names
from tests.figures.truth.meaning_claims import effect


def _cosine(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    found = sorted((one.cosine for one in e.references if one.cosine is not None), reverse=True)
    best = found[: e.top_k]
    return is_number(m.group(1), sum(best) / len(best)) and {
        "the reference's": len(found) == 1,
        f"those of {len(found)} references on average": len(found) == len(best) > 1,
        f"the nearest of {len(found)} references": len(best) == 1 < len(found),
        f"those of the {len(best)} nearest of {len(found)} references on average": 1 < len(best) < len(found),
    }.get(m.group(2), False)


def _again(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    """The words that come again stand in the same order on both sides."""
    ours = [word for word, kept in zip(e.words, e.kept, strict=True) if kept]
    theirs = [word for word, added in zip(e.rebuilt, e.added, strict=True) if not added]
    said = int(m.group(1)), int(m.group(2)), int(m.group(3) or 0)
    return ours == theirs and said == (len(ours), len(e.words), len(e.rebuilt) - len(ours))


I2CE: tuple[Claim, ...] = (
    claim(
        "i2ce nothing",
        r"I2CE has nothing to compare",
        lambda m, e, v: e.value == 0 and all(one.cosine is None for one in e.references),
    ),
    claim(
        "i2ce cosine",
        r"I2CE: the candidate's vector has a cosine of <NUMBER> to (the reference's|those of \d+ references on average|"
        r"the nearest of \d+ references|those of the \d+ nearest of \d+ references on average)",
        _cosine,
    ),
    claim("i2ce helps", r"; <WORD> helps most", lambda m, e, v: effect(m, e.words, e.influences, True)),
    claim("i2ce lowers", r"; <WORD> lowers it most", lambda m, e, v: effect(m, e.words, e.influences, False)),
    claim(
        "i2ce whole",
        r"; from its vector the decoder writes the candidate again, word for word",
        lambda m, e, v: e.rebuilt == e.words,
    ),
    claim(
        "i2ce again",
        r"; from its vector the decoder writes <COUNT> of <COUNT> words? again(?:, with <COUNT> others?)?",
        _again,
    ),
    claim(
        "i2ce unknown",
        r"; <LIST> (?:is|are) unknown to the network",
        lambda m, e, v: names(m.group(1), [w for w, strange in zip(e.words, e.unknown, strict=True) if strange], 3),
    ),
)
