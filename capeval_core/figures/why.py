"""Why one of two candidates is ahead: the part of a metric's own evidence in which the winner leads most."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from capeval_core import registry
from capeval_core.figures.bleu import MANY, share
from capeval_core.figures.flow import unread
from capeval_core.figures.numbers import percent, score, tie
from capeval_core.figures.sparcs import name, sums
from capeval_core.figures.spice import phrase
from capeval_core.figures.words import first, listing, plural, quoted
from capeval_core.metrics.bertscore import BertScoreExplanation
from capeval_core.metrics.bleu import BleuExplanation
from capeval_core.metrics.cider import CiderExplanation
from capeval_core.metrics.i2ce import I2ceExplanation
from capeval_core.metrics.meteor import MeteorExplanation
from capeval_core.metrics.nneval import NNEvalExplanation
from capeval_core.metrics.rouge_l import RougeLExplanation
from capeval_core.metrics.smurf import SmurfExplanation
from capeval_core.metrics.sparcs import SparcsExplanation
from capeval_core.metrics.spice import SpiceExplanation
from capeval_core.metrics.spider import SpiderExplanation
from capeval_core.metrics.typicality import FlowExplanation
from capeval_core.metrics.wembsim import WEmbSimExplanation
from capeval_core.metrics.wmd import WmdExplanation
from capeval_core.types import Explanation

TERMS = ("what it says", "its style", "its grammar")


def reason(left: Explanation, right: Explanation) -> str:
    """Of two explanations by one metric, A's and B's: who is ahead, and through what."""
    if tie(left.value, right.value):
        return f"A and B are level at {score(left.value)}."
    higher = registry.get(left.key).direction == "higher"
    ahead = (right.value > left.value) == higher
    winner, loser, names = (right, left, ("B", "A")) if ahead else (left, right, ("A", "B"))
    because = _REASONS[type(winner).__name__](winner, loser, names[1])
    return f"{names[0]} is ahead: {because}."


def overall(left: Mapping[str, float], right: Mapping[str, float], only: tuple[Sequence[str], Sequence[str]]) -> str:
    """Who is ahead in how many scores; `only`: the words that each alone has in common with the references."""
    keys = [key for key in registry.keys() if key in left and key in right]
    if not keys:
        return "There is no score that both have."
    signs = [_sign(key, left[key], right[key]) for key in keys]
    counts = {"A": signs.count(-1), "B": signs.count(1)}
    order = sorted(counts, key=lambda letter: (-counts[letter], letter))
    ahead = [f"{letter} is ahead in {counts[letter]}" for letter in order if counts[letter]]
    level = [f"{signs.count(0)} {'is' if signs.count(0) == 1 else 'are'} level"] if 0 in signs else []
    sentence = f"Of {plural(len(keys), 'score')} {listing([*ahead, *level])}."
    for letter, words in zip("AB", only, strict=True):
        if words:
            sentence += f" Only {letter} says {listing(first(map(quoted, words), 4))}, as people do."
    return sentence


def _sign(key: str, left: float, right: float) -> int:
    """1: B is ahead, -1: A is, 0: they read the same."""
    if tie(left, right):
        return 0
    return 1 if (right > left) == (registry.get(key).direction == "higher") else -1


def _apart(winner: float, loser: float) -> tuple[str, str]:
    """Both numbers with as few digits as tell them apart."""
    for digits in range(2, 9):
        # Adding 0 takes the sign off a zero.
        written = f"{round(winner, digits) + 0.0:.{digits}f}", f"{round(loser, digits) + 0.0:.{digits}f}"
        if written[0] != written[1]:
            return written
    return written


def _lead(winner: float, loser: float) -> float:
    """How many times the loser's factor the winner's is, as a logarithm."""
    return math.inf if loser <= 0 < winner else math.log(winner / loser) if winner > 0 and loser > 0 else -math.inf


def _bleu(winner: BleuExplanation, loser: BleuExplanation, other: str) -> str:
    order = int(winner.key[-1])
    leads = [_lead(share(winner, n), share(loser, n)) for n in range(order)]
    leads.append(_lead(winner.brevity_penalty, loser.brevity_penalty))
    best = leads.index(max(leads))
    if best == order:
        ours, theirs = _apart(winner.brevity_penalty, loser.brevity_penalty)
        return f"its length keeps {ours} of the score, {other}'s {theirs}"
    ours, theirs = (f"{hits} of {total}" for hits, total in (winner.precisions[best], loser.precisions[best]))
    return f"the references have {ours} of its {MANY[best]}, of {other}'s {theirs}"


def _rouge_l(winner: RougeLExplanation, loser: RougeLExplanation, other: str) -> str:
    if _lead(winner.precision, loser.precision) >= _lead(winner.recall, loser.recall):
        ours, theirs = _apart(winner.precision, loser.precision)
        return f"a reference has {ours} of it in the same order, of {other} {theirs}"
    ours, theirs = _apart(winner.recall, loser.recall)
    return f"it has {ours} of a reference in the same order, {other} {theirs}"


def _meteor(winner: MeteorExplanation, loser: MeteorExplanation, other: str) -> str:
    one, two = winner.references[winner.winner], loser.references[loser.winner]
    if _lead(one.f_mean, two.f_mean) >= _lead(1 - one.penalty, 1 - two.penalty):
        ours, theirs = _apart(one.f_mean, two.f_mean)
        return f"it matches more, by weight {ours}, {other} {theirs}"
    ours, theirs = _apart(one.penalty, two.penalty)
    return f"broken order costs it {ours} of its matches, {other} {theirs}"


def _earned(explanation: CiderExplanation) -> dict[tuple[str, ...], float]:
    found: dict[tuple[str, ...], float] = {}
    for reference in explanation.references:
        for gram in reference.ngrams:
            found[gram.words] = found.get(gram.words, 0.0) + gram.contribution
    return found


def _cider(winner: CiderExplanation, loser: CiderExplanation, other: str) -> str:
    ours, theirs = _earned(winner), _earned(loser)
    best = max(ours, key=lambda words: (ours[words] - theirs.get(words, 0.0), words))
    mine, its = _apart(ours[best], theirs.get(best, 0.0))
    return f"{quoted(' '.join(best))} earns it {mine}, {other} {its}"


def _spice(winner: SpiceExplanation, loser: SpiceExplanation, other: str) -> str:
    one, two = winner.categories[0], loser.categories[0]
    if _lead(one.recall, two.recall) >= _lead(one.precision, two.precision):
        pairs = zip(winner.reference_tuples, loser.reference_tuples, strict=True)
        found = [phrase(mine.parts, mine.kind) for mine, its in pairs if mine.matched and not its.matched]
        names = f" ({listing(first(map(quoted, found), 3))})" if found else ""
        counts = f"{one.matched} matches for the {plural(one.references, 'thing')} people mention"
        return f"it has {counts}{names}, {other} {two.matched}"
    return f"{one.matched} of its {plural(one.candidate, 'thing')} match, of {other}'s {two.matched} of {two.candidate}"


def _spider(winner: SpiderExplanation, loser: SpiderExplanation, other: str) -> str:
    gaps = {"SPICE": (winner.spice.value, loser.spice.value), "CIDEr": (winner.cider.value, loser.cider.value)}
    best = max(gaps, key=lambda half: gaps[half][0] - gaps[half][1])
    ours, theirs = _apart(*gaps[best])
    return f"its {best} is {ours}, {other}'s {theirs}"


def _wmd(winner: WmdExplanation, loser: WmdExplanation, other: str) -> str:
    if loser.distance is None or winner.distance is None:
        return f"{other} has no words to compare"
    ours, theirs = _apart(winner.distance, loser.distance)
    return f"its words have {ours} to go to the references, {other}'s {theirs}"


def _wembsim(winner: WEmbSimExplanation, loser: WEmbSimExplanation, other: str) -> str:
    pairs = list(zip(winner.references, loser.references, strict=True))
    known = [(a.cosine, b.cosine) for a, b in pairs if a.cosine is not None and b.cosine is not None]
    if not known:
        return f"{other} has no words to compare"
    closer = sum(ours > theirs for ours, theirs in known)
    return f"its mean word vector points closer to {closer} of {plural(len(known), 'reference')}"


def _bertscore(winner: BertScoreExplanation, loser: BertScoreExplanation, other: str) -> str:
    one, two = winner.references[winner.best], loser.references[loser.best]
    if _lead(one.precision, two.precision) >= _lead(one.recall, two.recall):
        ours, theirs = _apart(one.precision, two.precision)
        return f"its tokens find closer matches in a reference, {ours}, {other}'s {theirs}"
    ours, theirs = _apart(one.recall, two.recall)
    return f"a reference's tokens find closer matches in it, {ours}, in {other} {theirs}"


def _sparcs(winner: SparcsExplanation, loser: SparcsExplanation, other: str) -> str:
    (found, extra, _), (less, more, _) = sums(winner), sums(loser)
    if found > less:
        lacks = {concept.stem for concept in loser.matched}
        concept = next(concept for concept in winner.matched if concept.stem not in lacks)
        people = f"{percent(concept.typicality)} of people"
        return f"it has {quoted(name(concept))}, which {people} name and {other} does not"
    return f"it says {plural(extra, 'thing')} that nobody names, {other} {more}"


def _flow(winner: FlowExplanation, loser: FlowExplanation, other: str) -> str:
    if unread(loser):
        return f"{other} has no words to read"
    if winner.estimate is None:
        ours, theirs = _apart(winner.flow, loser.flow)
        return f"its strongest heads carry a flow of {ours}, {other}'s {theirs}"
    ours, theirs = _apart(winner.plain, loser.plain)
    if winner.plain > loser.plain:
        return f"by {winner.model}'s heads alone it has {ours}, {other} {theirs}"
    return f"the estimate says so, though {winner.model}'s heads alone give it {ours}, {other} {theirs}"


def _smurf(winner: SmurfExplanation, loser: SmurfExplanation, other: str) -> str:
    sides = [
        [term.contribution / one.divisor if term.counted else 0.0 for term in one.terms] for one in (winner, loser)
    ]
    best = max(range(len(TERMS)), key=lambda place: sides[0][place] - sides[1][place])
    ours, theirs = _apart(sides[0][best], sides[1][best])
    return f"{TERMS[best]} counts {ours}, {other}'s {theirs}"


def _i2ce(winner: I2ceExplanation, loser: I2ceExplanation, other: str) -> str:
    if not any(reference.pooled for reference in loser.references):
        return f"{other} has no words to compare"
    if not any(reference.pooled for reference in winner.references):
        return f"{other}'s vector points away from the references"
    best = [max(one.cosine for one in side.references if one.cosine is not None) for side in (winner, loser)]
    ours, theirs = _apart(best[0], best[1])
    if float(ours) > float(theirs):
        return f"its vector has a cosine of {ours} to the nearest reference, {other}'s {theirs}"
    return "its vector is nearer to the references on average"


def _nneval(winner: NNEvalExplanation, loser: NNEvalExplanation, other: str) -> str:
    pairs = zip(winner.features, loser.features, strict=True)
    ahead, behind = max(pairs, key=lambda pair: pair[0].push - pair[1].push)
    ours, theirs = _apart(ahead.push, behind.push)
    return f"its {registry.get(ahead.key).label} pushes the log-odds by {ours}, {other}'s by {theirs}"


_REASONS: dict[str, Callable[[Any, Any, str], str]] = {
    "BleuExplanation": _bleu,
    "RougeLExplanation": _rouge_l,
    "MeteorExplanation": _meteor,
    "CiderExplanation": _cider,
    "SpiceExplanation": _spice,
    "SpiderExplanation": _spider,
    "WmdExplanation": _wmd,
    "WEmbSimExplanation": _wembsim,
    "BertScoreExplanation": _bertscore,
    "SparcsExplanation": _sparcs,
    "FlowExplanation": _flow,
    "SmurfExplanation": _smurf,
    "I2ceExplanation": _i2ce,
    "NNEvalExplanation": _nneval,
}
