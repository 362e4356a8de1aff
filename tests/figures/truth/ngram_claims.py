"""The sentences of BLEU, ROUGE-L, METEOR and CIDEr, clause by clause."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from capeval_core.figures.evidence import Caption, Evidence
from capeval_core.figures.words import quoted
from tests.figures.truth.claims import Claim, ahead, claim, is_count, is_number, is_share

RUNS = ("word", "pair", "run of three", "run of four")


def grams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[at : at + n]) for at in range(len(tokens) - n + 1))


def hits(e: Any, n: int, references: Sequence[Sequence[str]]) -> int:
    allowed = [grams(reference, n) for reference in references]
    return sum(min(count, max(one[gram] for one in allowed)) for gram, count in grams(e.tokens, n).items())


def _bleu_found(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    order = int(m.group(1))
    said = re.findall(
        r"([\d,]+) of ([\d,]+) (word|pair|run of three|run of four|runs of three|runs of four)", m.group(2)
    )
    totals = [max(len(e.tokens) - n, 0) for n in range(order)]
    if len(said) != sum(total > 0 for total in totals) or e.key != f"bleu_{order}":
        return False
    for n, (count, total, run) in enumerate(said):
        if not (is_count(count, hits(e, n + 1, e.references)) and is_count(total, totals[n])):
            return False
        if run.replace("runs", "run") != RUNS[n]:
            return False
    return _most_matches(e, order, evidence)


def _most_matches(e: Any, order: int, evidence: Evidence) -> bool:
    """The reference that is said to match most does."""
    labels = [part.label for part in evidence.parts if isinstance(part, Caption)]
    said = [m for label in labels if (m := re.match(r"reference (\d+), (which matches most|the only one)", label))]
    alone = [sum(hits(e, n + 1, [reference]) for n in range(order)) for reference in e.references]
    only = said[0].group(2) == "the only one"
    return alone[int(said[0].group(1)) - 1] == max(alone) and only == (len(alone) == 1)


def _nearest(e: Any) -> int:
    return min((abs(len(reference) - len(e.tokens)), len(reference)) for reference in e.references)[1]


def _bleu_short(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    kept = math.exp(min(0.0, 1 - _nearest(e) / len(e.tokens)))
    return is_count(m.group(1), len(e.tokens)) and is_count(m.group(2), _nearest(e)) and is_share(m.group(3), kept)


def _bleu_without(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    n = RUNS.index(m.group(1)) + 1
    return hits(e, n, e.references) == 0 and e.value < 0.001 and all(hits(e, k, e.references) for k in range(1, n))


BLEU: tuple[Claim, ...] = (
    claim("bleu empty", r"BLEU-\d found nothing: the candidate has no words", lambda m, e, v: not e.tokens),
    claim("bleu found", r"BLEU-(\d) found (.+?) in the references", _bleu_found),
    claim("bleu without", r"; without a shared (word|pair|run of three|run of four) it is close to 0", _bleu_without),
    claim(
        "bleu too short",
        r"; too short for a (pair|run of three|run of four), it is kept low",
        lambda m, e, v: len(e.tokens) == RUNS.index(m.group(1)) and e.value < 0.05,
    ),
    claim("bleu length", r"; its length costs nothing", lambda m, e, v: len(e.tokens) >= _nearest(e) - 0.01),
    claim(
        "bleu brevity",
        r"; being shorter than the reference nearest in length \(<COUNT> words?, not <COUNT>\) lowers it to <SHARE>",
        _bleu_short,
    ),
)


def lcs(one: Sequence[str], two: Sequence[str]) -> int:
    row = [0] * (len(two) + 1)
    for word in one:
        before = 0
        for at, other in enumerate(two, 1):
            before, row[at] = row[at], before + 1 if word == other else max(row[at], row[at - 1])
    return row[-1]


def _shares(e: Any) -> tuple[list[float], list[float], list[int]]:
    found = [lcs(e.tokens, reference.tokens) for reference in e.references]
    return (
        [n / max(len(e.tokens), 1) for n in found],
        [n / max(len(reference.tokens), 1) for n, reference in zip(found, e.references, strict=True)],
        found,
    )


def _rouge_one(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    precision, recall, found = _shares(e)
    place = int(m.group(3)) - 1
    return (
        is_count(m.group(1), found[place])
        and is_count(m.group(2), len(e.tokens))
        and is_share(m.group(4), precision[place])
        and is_share(m.group(5), recall[place])
        and precision[place] == max(precision)
        and recall[place] == max(recall)
    )


def _rouge_two(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    precision, recall, found = _shares(e)
    one, two = int(m.group(3)) - 1, int(m.group(7)) - 1
    return (
        is_count(m.group(1), found[one])
        and is_count(m.group(2), len(e.tokens))
        and is_share(m.group(4), precision[one])
        and is_count(m.group(5), found[two])
        and is_count(m.group(6), len(e.references[two].tokens))
        and is_share(m.group(8), recall[two])
        and precision[one] == max(precision)
        and recall[two] == max(recall)
        and one != two
    )


ROUGE_L: tuple[Claim, ...] = (
    claim(
        "rouge none",
        r"ROUGE-L found no word that candidate and a reference share",
        lambda m, e, v: e.value == 0 and not any(set(e.tokens) & set(one.tokens) for one in e.references),
    ),
    claim(
        "rouge empty",
        r"ROUGE-L takes the candidate, which has no words, for equal to a reference without words",
        lambda m, e, v: not e.tokens and e.value == 1 and any(not one.tokens for one in e.references),
    ),
    claim(
        "rouge one reference",
        r"ROUGE-L found <COUNT> of the candidate's <COUNT> words? in the same order in reference <COUNT>: "
        r"<SHARE> of the candidate and <SHARE> of the reference",
        _rouge_one,
    ),
    claim(
        "rouge two references",
        r"ROUGE-L found <COUNT> of the candidate's <COUNT> words? in the same order in reference <COUNT> \(<SHARE>\), "
        r"and <COUNT> of the <COUNT> words? of reference <COUNT> \(<SHARE>\): "
        r"each share is the best of any reference",
        _rouge_two,
    ),
)


def _meteor_matched(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    winner = e.references[e.winner]
    words: Counter[str] = Counter()
    for link in winner.links:
        words[link.module] += link.candidate_length
    said = {
        name: int(n) for n, name in re.findall(r"(\d+) (?:as|in) (?:a )?(stem|synonym|paraphrase)", m.group(3) or "")
    }
    chunks = 1 if m.group(4) == "one chunk" else int(m.group(4).split()[0])
    breaks = 0
    for one, two in zip(winner.links, winner.links[1:], strict=False):
        along = two.candidate_start == one.candidate_start + one.candidate_length
        breaks += not (along and two.reference_start == one.reference_start + one.reference_length)
    return (
        is_count(m.group(1), sum(words.values()))
        and is_count(m.group(2), len(e.tokens))
        and said == {name: words[name] for name in ("stem", "synonym", "paraphrase") if words[name]}
        and chunks == breaks + 1
        and winner.score == max(one.score for one in e.references)
    )


def _meteor_breaks(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    winner, o = e.references[e.winner], e.options
    ours = sum(link.candidate_length for link in winner.links)
    theirs = sum(link.reference_length for link in winner.links)
    whole = ours == len(e.tokens) and theirs == len(winner.tokens)
    penalty = 0.0 if whole else o.gamma * (2 / (ours + theirs)) ** o.beta
    unbroken = winner.f_mean * (1 - penalty)
    return is_number(m.group(1), unbroken) and is_number(m.group(2), e.value) and unbroken > e.value


METEOR: tuple[Claim, ...] = (
    claim("meteor empty", r"METEOR has nothing to match: the candidate has no words", lambda m, e, v: not e.tokens),
    claim(
        "meteor none",
        r"METEOR matched none of the candidate's <COUNT> words? with a reference",
        lambda m, e, v: is_count(m.group(1), len(e.tokens)) and not any(one.links for one in e.references),
    ),
    claim(
        "meteor matched",
        r"METEOR matched <COUNT> of <COUNT> words?( \([^)]*\))? in (one chunk|\d+ chunks)",
        _meteor_matched,
    ),
    claim(
        "meteor unbroken",
        r"; nothing is lost to breaks",
        lambda m, e, v: e.references[e.winner].chunks == 1,
    ),
    claim(
        "meteor breaks",
        r"; in one chunk the same matches would score <NUMBER>, not <NUMBER>",
        _meteor_breaks,
    ),
)


def _earned(e: Any) -> dict[str, float]:
    found: dict[str, float] = {}
    for reference in e.references:
        for gram in reference.ngrams:
            name = " ".join(gram.words)
            found[name] = found.get(name, 0.0) + gram.contribution
    return found


def _cider_parts(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    earned = _earned(e)
    by_quote = {quoted(name): name for name in sorted(earned, key=lambda name: earned[name])}
    said = re.findall(r"(“[^”]*”) \(([^)]*)\)", m.group(2))
    chosen = [by_quote[text] for text, _ in said]
    return (
        is_number(m.group(1), e.value)
        and all(is_number(number, earned[name]) for name, (_, number) in zip(chosen, said, strict=True))
        and ahead({name: round(value, 12) for name, value in earned.items()}, chosen)
    )


def _cider_missed(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    weight: dict[str, float] = {}
    for reference in e.references:
        for gram in reference.ngrams:
            if len(gram.words) == 1 and not gram.candidate_count:
                weight[quoted(gram.words[0])] = weight.get(quoted(gram.words[0]), 0.0) + gram.reference_weight
    return ahead({name: round(value, 12) for name, value in weight.items()}, re.findall(r"“[^”]*”", m.group(1)))


CIDER: tuple[Claim, ...] = (
    claim("cider parts", r"CIDEr is <NUMBER>; its largest parts? comes? from <LIST>", _cider_parts),
    claim(
        "cider none",
        r"CIDEr found no n-gram of weight that candidate and references share",
        lambda m, e, v: e.value == 0 and not any(_earned(e).values()),
    ),
    claim("cider missed", r"; of single words it misses <LIST> most", _cider_missed),
)
