"""Why one of two candidates is ahead, read back and checked against both explanations."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from capeval_core import registry
from capeval_core.figures.words import quoted

Holds = Callable[[re.Match[str], Any, Any], bool]
N = r"(-?\d+(?:\.\d+)?)"
Q = r"(“[^”]*”)"
ONE = r"[AB]"


def _is(text: str, value: float) -> bool:
    """As many digits as it has."""
    digits = len(text.partition(".")[2])
    return bool(abs(float(text) - value) <= 0.5 * 10.0**-digits + 1e-9)


def _both(m: re.Match[str], winner: float, loser: float, *, least: bool = False) -> bool:
    better = winner < loser if least else winner > loser
    return _is(m[1], winner) and _is(m[2], loser) and m[1] != m[2] and better


def _bleu(m: re.Match[str], w: Any, t: Any) -> bool:
    n = ("words", "pairs", "runs of three", "runs of four").index(m[3])
    (a, b), (c, d) = w.precisions[n], t.precisions[n]
    said = tuple(map(int, (m[1], m[2], m[4], m[5])))
    return said == (a, b, c, d) and (a / b if b else 1e-6) > (c / d if d else 1e-6)


def _won(e: Any) -> Any:
    return e.references[e.winner]


def _cider(m: re.Match[str], w: Any, t: Any) -> bool:
    earned: list[dict[str, float]] = [{}, {}]
    for side, one in zip(earned, (w, t), strict=True):
        for reference in one.references:
            for gram in reference.ngrams:
                name = quoted(" ".join(gram.words))
                side[name] = side.get(name, 0.0) + gram.contribution
    gaps = {name: value - earned[1].get(name, 0.0) for name, value in earned[0].items()}
    ours, theirs = earned[0][m[1]], earned[1].get(m[1], 0.0)
    return _is(m[2], ours) and _is(m[3], theirs) and gaps[m[1]] >= max(gaps.values()) - 1e-12 and ours > theirs


def _spice_recall(m: re.Match[str], w: Any, t: Any) -> bool:
    one, two = w.categories[0], t.categories[0]
    found = [a for a, b in zip(w.reference_tuples, t.reference_tuples, strict=True) if a.matched and not b.matched]
    spelled = {quoted(" ".join(p.parts[::-1] if p.kind == "Attribute" else p.parts)) for p in found}
    return (
        (int(m[1]), int(m[2]), int(m[4])) == (one.matched, one.references, two.matched)
        and one.matched > two.matched
        and set(re.findall(Q, m[3] or "")) <= spelled
    )


def _spice_precision(m: re.Match[str], w: Any, t: Any) -> bool:
    one, two = w.categories[0], t.categories[0]
    said = tuple(int(m[n]) for n in range(1, 5))
    return said == (one.matched, one.candidate, two.matched, two.candidate) and one.precision > two.precision


def _spider(m: re.Match[str], w: Any, t: Any) -> bool:
    half = m[1].lower()
    ours, theirs = getattr(w, half).value, getattr(t, half).value
    return _is(m[2], ours) and _is(m[3], theirs) and ours > theirs


def _wembsim(m: re.Match[str], w: Any, t: Any) -> bool:
    pairs = [(a.cosine, b.cosine) for a, b in zip(w.references, t.references, strict=True) if a.cosine and b.cosine]
    closer = sum(a > b for a, b in pairs)
    return (int(m[1]), int(m[2])) == (closer, len(pairs)) and closer > 0


def _nearest(e: Any) -> float | None:
    return max((one.cosine for one in e.references if one.cosine is not None), default=None)


def _sparcs_found(m: re.Match[str], w: Any, t: Any) -> bool:
    lacks = {c.stem for c in t.matched}
    found = {quoted((c.words or c.reference_words)[0]): c.typicality for c in w.matched if c.stem not in lacks}
    return m[1] in found and abs(float(m[2]) - 100 * found[m[1]]) <= 0.5 and found[m[1]] == max(found.values())


def _plain(m: re.Match[str], w: Any, t: Any) -> bool:
    return _is(m[1], w.plain) and _is(m[2], t.plain)


def _smurf(m: re.Match[str], w: Any, t: Any) -> bool:
    place = ("what it says", "its style", "its grammar").index(m[1])
    gaps = [[term.contribution / e.divisor if term.counted else 0.0 for term in e.terms] for e in (w, t)]
    best = max(a - b for a, b in zip(*gaps, strict=True))
    ours, theirs = gaps[0][place], gaps[1][place]
    return _is(m[2], ours) and _is(m[3], theirs) and ours - theirs == best > 0


def _nneval(m: re.Match[str], w: Any, t: Any) -> bool:
    gaps = {registry.get(a.key).label: (a.push, b.push) for a, b in zip(w.features, t.features, strict=True)}
    ours, theirs = gaps[m[1]]
    best = max(a - b for a, b in gaps.values())
    return _is(m[2], ours) and _is(m[3], theirs) and ours - theirs == best > 0


RUN = r"(words|pairs|runs of three|runs of four)"
REASONS: dict[str, list[tuple[str, Holds]]] = {
    "bleu": [
        (rf"the references have (\d+) of (\d+) of its {RUN}, of {ONE}'s (\d+) of (\d+)", _bleu),
        (
            rf"its length keeps {N} of the score, {ONE}'s {N}",
            lambda m, w, t: _both(m, w.brevity_penalty, t.brevity_penalty),
        ),
    ],
    "rouge_l": [
        (
            rf"a reference has {N} of it in the same order, of {ONE} {N}",
            lambda m, w, t: _both(m, w.precision, t.precision),
        ),
        (rf"it has {N} of a reference in the same order, {ONE} {N}", lambda m, w, t: _both(m, w.recall, t.recall)),
    ],
    "meteor": [
        (rf"it matches more, by weight {N}, {ONE} {N}", lambda m, w, t: _both(m, _won(w).f_mean, _won(t).f_mean)),
        (
            rf"broken order costs it {N} of its matches, {ONE} {N}",
            lambda m, w, t: _both(m, _won(w).penalty, _won(t).penalty, least=True),
        ),
    ],
    "cider": [(rf"{Q} earns it {N}, {ONE} {N}", _cider)],
    "spice": [
        (rf"it has (\d+) matches for the (\d+) things? people mention( \([^)]*\))?, {ONE} (\d+)", _spice_recall),
        (rf"(\d+) of its (\d+) things? match, of {ONE}'s (\d+) of (\d+)", _spice_precision),
    ],
    "spider": [(rf"its (SPICE|CIDEr) is {N}, {ONE}'s {N}", _spider)],
    "wmd": [
        (rf"{ONE} has no words to compare", lambda m, w, t: t.distance is None),
        (
            rf"its words have {N} to go to the references, {ONE}'s {N}",
            lambda m, w, t: _both(m, w.distance, t.distance, least=True),
        ),
    ],
    "wembsim": [
        (rf"{ONE} has no words to compare", lambda m, w, t: all(one.cosine is None for one in t.references)),
        (r"its mean word vector points closer to (\d+) of (\d+) references?", _wembsim),
    ],
    "bertscore": [
        (
            rf"its tokens find closer matches in a reference, {N}, {ONE}'s {N}",
            lambda m, w, t: _both(m, w.references[w.best].precision, t.references[t.best].precision),
        ),
        (
            rf"a reference's tokens find closer matches in it, {N}, in {ONE} {N}",
            lambda m, w, t: _both(m, w.references[w.best].recall, t.references[t.best].recall),
        ),
    ],
    "sparcs": [
        (rf"it has {Q}, which (\d+)% of people name and {ONE} does not", _sparcs_found),
        (
            rf"it says (\d+) things? that nobody names, {ONE} (\d+)",
            lambda m, w, t: (int(m[1]), int(m[2])) == (len(w.extra), len(t.extra)) and len(w.extra) < len(t.extra),
        ),
    ],
    "mima": [
        (rf"{ONE} has no words to read", lambda m, w, t: t.value == 0),
        (rf"by minilm's heads alone it has {N}, {ONE} {N}", lambda m, w, t: _plain(m, w, t) and w.plain > t.plain),
        (
            rf"the estimate says so, though minilm's heads alone give it {N}, {ONE} {N}",
            lambda m, w, t: _plain(m, w, t) and w.plain <= t.plain,
        ),
    ],
    "i2ce": [
        (rf"{ONE} has no words to compare", lambda m, w, t: _nearest(t) is None),
        (rf"{ONE}'s vector points away from the references", lambda m, w, t: _nearest(w) is None and t.value < 0),
        (
            rf"its vector has a cosine of {N} to the nearest reference, {ONE}'s {N}",
            lambda m, w, t: _both(m, _nearest(w) or 0.0, _nearest(t) or 0.0),
        ),
        (
            r"its vector is nearer to the references on average",
            lambda m, w, t: (_nearest(w) or 0.0) <= (_nearest(t) or 0.0) + 1e-8,
        ),
    ],
    "nneval": [(rf"its ([\w+-]+) pushes the log-odds by {N}, {ONE}'s by {N}", _nneval)],
    "smurf": [(rf"(what it says|its style|its grammar) counts {N}, {ONE}'s {N}", _smurf)],
}
REASONS["spurts"] = REASONS["mima"]
REASONS["nneval_plus"] = REASONS["nneval"]


def wrong(said: str, left: Any, right: Any, metric: str) -> str:
    """What does not hold of the sentence; nothing where all of it does."""
    level = re.fullmatch(r"A and B are level at (\S+)\.", said)
    if level:
        return "" if f"{left.value:.3f}" == f"{right.value:.3f}" or abs(left.value - right.value) < 0.001 else said
    m = re.fullmatch(r"([AB]) is ahead: (.+)\.", said)
    if m is None:
        return f"not understood: {said}"
    winner, loser = (left, right) if m[1] == "A" else (right, left)
    if winner.value <= loser.value:
        return f"not ahead: {said}"
    for pattern, holds in REASONS[metric]:
        if found := re.fullmatch(pattern, m[2]):
            return "" if holds(found, winner, loser) else f"does not hold: {said}"
    return f"nobody checks: {said}"
