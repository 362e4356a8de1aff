"""The sentences of SPICE, SPIDEr, WMD, WEmbSim, BERTScore, SPARCS, MIMA, SPURTS and SMURF, clause by clause."""

from __future__ import annotations

import re
from typing import Any

from capeval_core.figures.evidence import Chart, Evidence, Table
from capeval_core.figures.words import quoted
from tests.figures.truth.claims import Claim, ahead, claim, is_count, is_number, is_share, listed, names

CHANGE = r"([+-]\d+\.\d{3})"


def _phrase(part: Any) -> str:
    words = list(part.parts)
    return " ".join(words[::-1] if part.kind == "Attribute" else words)


def _spice_names(text: str, parts: list[Any]) -> bool:
    """Names some of these parts, and counts the others."""
    said, more = listed(text)
    known = [quoted(_phrase(part)) for part in parts]
    return all(name in known for name in said) and len(said) + more == len(parts) and len(said) <= 3


def _spice_missed(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    return _spice_names(m.group(1), [part for part in e.reference_tuples if not part.matched]) and _shown(
        evidence, "missed"
    ) == sum(not part.matched for part in e.reference_tuples)


def _spice_extra(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    extra = [part for part in e.candidate_tuples if not part.matched]
    counts = is_count(m.group(1), len(extra)) and is_count(m.group(2), len(e.candidate_tuples))
    return counts and _spice_names(m.group(3), extra) and _shown(evidence, "extra") == len(extra)


def _shown(evidence: Evidence, state: str) -> int:
    table = next(part for part in evidence.parts if isinstance(part, Table) and "state" in part.columns)
    return list(table.columns["state"]).count(state)


def _spice_found(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    found = sum(part.matched for part in e.reference_tuples)
    return is_count(m.group(1), found) and is_count(m.group(2), len(e.reference_tuples))


SPICE: tuple[Claim, ...] = (
    claim("spice found", r"SPICE found <COUNT> of <COUNT> things? people mention", _spice_found),
    claim(
        "spice same",
        r" \(with <COUNT> of the candidate's own: some mean the same\)",
        lambda m, e, v: (
            is_count(m.group(1), sum(one.matched for one in e.candidate_tuples))
            and sum(one.matched for one in e.candidate_tuples) != sum(one.matched for one in e.reference_tuples)
        ),
    ),
    claim("spice missed", r"; it missed <LIST>", _spice_missed),
    claim("spice extra", r"; <COUNT> of the candidate's <COUNT> (?:is|are) in no reference: <LIST>", _spice_extra),
    claim(
        "spice nothing",
        r"SPICE found nothing in the (references|candidate) to compare",
        lambda m, e, v: not (e.reference_tuples if m.group(1) == "references" else e.candidate_tuples),
    ),
)


def _spider_share(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    return is_share(m.group(1), e.cider.value / (e.cider.value + e.spice.value))


SPIDER: tuple[Claim, ...] = (
    claim(
        "spider mean",
        r"SPIDEr is the mean of SPICE \(<NUMBER>\) and CIDEr \(<NUMBER>\)",
        lambda m, e, v: (
            is_number(m.group(1), e.spice.value)
            and is_number(m.group(2), e.cider.value)
            and abs(e.value - (e.spice.value + e.cider.value) / 2) < 1e-12
        ),
    ),
    claim("spider share", r"; CIDEr, on its scale up to 10, gives <SHARE> of it", _spider_share),
)


def _nearest(e: Any, said: str) -> Any:
    found = [one.distance if one.distance is not None else 1e9 for one in e.references]
    place = int(said) - 1
    return e.references[place] if found[place] == min(found) else None


def _wmd_moves(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    reference = _nearest(e, m.group(2))
    if reference is None or not is_number(m.group(1), reference.distance):
        return False
    costs = {
        (i, j): round(flow * cost, 9)
        for i, (flows, distances) in enumerate(zip(reference.flow, reference.cost, strict=True))
        for j, (flow, cost) in enumerate(zip(flows, distances, strict=True))
    }
    spelled = {
        f"{quoted(e.words[i])} to {quoted(reference.words[j])}": (i, j) for i, j in sorted(costs, key=costs.__getitem__)
    }
    said = re.findall(r"(“[^”]*” to “[^”]*”) \(([^)]*)\)", m.group(4))
    chosen = [spelled[text] for text, _ in said]
    return ahead(costs, chosen) and all(
        is_number(number, costs[pair]) for pair, (_, number) in zip(chosen, said, strict=True)
    )


def _no_vector(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    return names(m.group(1), e.unknown, 3)


WMD: tuple[Claim, ...] = (
    claim("wmd nothing", r"WMD has nothing to compare", lambda m, e, v: e.distance is None and e.value == 0),
    claim(
        "wmd same",
        r"WMD moves nothing: reference (\d+)(?:, the nearest)? has the same words with the same weights",
        lambda m, e, v: sorted(e.words) == sorted(e.references[int(m.group(1)) - 1].words) and e.value > 1 - 1e-9,
    ),
    claim(
        "wmd moves",
        r"WMD moves the words <NUMBER> on average to become those of reference (\d+)(, the nearest)?; "
        r"the costliest moves? (?:is|are) (.+?\))(?=[.;])",
        _wmd_moves,
    ),
    claim("wmd no vector", r"; <LIST> (?:has|have) no vector", _no_vector),
    claim(
        "wmd mean",
        r"\. The score is the mean of <COUNT> references' similarities",
        lambda m, e, v: (
            is_count(m.group(1), sum(one.distance is not None for one in e.references))
            and abs(e.value - sum(one.similarity for one in e.references) / int(m.group(1))) < 1e-9
        ),
    ),
)


def _wembsim(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    found = [one.cosine for one in e.references if one.cosine is not None]
    many = m.group(2) is not None
    mean = {"on average": sum(found) / len(found), "to the nearest": max(found), "to the farthest": min(found)}
    return is_number(m.group(1), mean[m.group(3)] if many else found[0]) and (
        is_count(m.group(2), len(found)) if many else len(found) == 1
    )


def effect(m: re.Match[str], words: Any, values: Any, best: bool) -> bool:
    sign = 1 if best else -1
    own = [sign * value for word, value in zip(words, values, strict=True) if quoted(word) == m.group(1)]
    return bool(max(own) == max(sign * value for value in values) >= 5e-4)


WEMBSIM: tuple[Claim, ...] = (
    claim(
        "wembsim nothing",
        r"WEmbSim has nothing to compare",
        lambda m, e, v: e.value == 0 and all(one.cosine is None for one in e.references),
    ),
    claim(
        "wembsim cosine",
        r"WEmbSim: the candidate's mean word vector has a cosine of <NUMBER> to "
        r"(?:the reference's|those of <COUNT> references (on average|to the nearest|to the farthest))",
        _wembsim,
    ),
    claim("wembsim helps", r"; <WORD> helps most", lambda m, e, v: effect(m, e.words, e.contributions, True)),
    claim("wembsim lowers", r"; <WORD> lowers it most", lambda m, e, v: effect(m, e.words, e.contributions, False)),
    claim("wembsim no vector", r"; <LIST> (?:has|have) no vector", _no_vector),
)


def _bertscore(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    reference = e.references[int(m.group(1)) - 1]
    rows, columns = reference.similarity, list(zip(*reference.similarity, strict=True))
    precision = sum(w * max(*row, 0.0) for w, row in zip(e.weights, rows, strict=True))
    recall = sum(w * max(*column, 0.0) for w, column in zip(reference.weights, columns, strict=True))
    best = max(getattr(one, e.measure) for one in e.references)
    return (
        is_number(m.group(2), precision)
        and is_number(m.group(3), recall)
        and getattr(reference, e.measure) == best == e.value
    )


def _bert_matches(e: Any) -> dict[tuple[int, int], float]:
    """Every pair that is framed in the matrix."""
    reference = e.references[e.best]
    pairs = [
        (i, max(range(len(row)), key=row.__getitem__)) for i, row in enumerate(reference.similarity) if e.weights[i]
    ]
    for j, column in enumerate(zip(*reference.similarity, strict=True)):
        if reference.weights[j]:
            pairs.append((max(range(len(column)), key=column.__getitem__), j))
    return {(i, j): reference.similarity[i][j] for i, j in pairs}


def _bert_weakest(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    matches, reference = _bert_matches(e), e.references[e.best]
    own = [
        value
        for (i, j), value in matches.items()
        if quoted(e.tokens[i]) == m.group(1) and quoted(reference.tokens[j]) == m.group(2)
    ]
    chart = next(part for part in evidence.parts if isinstance(part, Chart) and part.clicks)
    shown = [float(text) for row in chart.figure.data[0].text for text in row if text]
    return min(own) == min(matches.values()) and is_number(m.group(3), min(own)) and min(own) <= min(shown) + 0.00501


BERTSCORE: tuple[Claim, ...] = (
    claim("bertscore nothing", r"BERTScore has nothing to compare", lambda m, e, v: e.value == 0),
    claim(
        "bertscore means",
        r"BERTScore: the mean similarity of the candidate's tokens to their best matches in reference (\d+) "
        r"is <NUMBER>, of the reference's tokens to theirs <NUMBER>",
        _bertscore,
    ),
    claim("bertscore weakest", r"; the weakest of these matches is <WORD> with <WORD> \(<NUMBER>\)", _bert_weakest),
)


def _sparcs_found(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    weights = [sum(concept.typicality for concept in side) for side in (e.matched, e.missed)]
    title = next(part for part in evidence.parts if isinstance(part, Chart)).title
    shown = re.search(r"\((\d+) of (\d+) concepts? people name(?:, (\d+) of (\d+) that nobody names)?\)", title)
    chart = next(part for part in evidence.parts if isinstance(part, Chart))
    bars = len(chart.figure.data[0].x)
    same = (
        int(shown[2]) == len(e.matched) + len(e.missed)
        and int(shown[4] or 0) == len(e.extra)
        and bars == int(shown[1]) + int(shown[3] or 0)
        if shown
        else bars == len(e.matched) + len(e.missed) + len(e.extra)
    )
    return (
        same
        and is_count(m.group(1), len(e.matched))
        and is_count(m.group(2), len(e.matched) + len(e.missed))
        and is_share(m.group(3), weights[0] / sum(weights))
    )


def _sparcs_named(text: str, concepts: Any) -> bool:
    typical = [concept.typicality for concept in concepts]
    return names(
        text, [(concept.words or concept.reference_words)[0] for concept in concepts], 3
    ) and typical == sorted(typical, reverse=True)


SPARCS: tuple[Claim, ...] = (
    claim(
        "sparcs nothing",
        r"SPARCS has nothing to compare",
        lambda m, e, v: e.value == 0 and not e.matched and not (e.extra and e.missed),
    ),
    claim(
        "sparcs found", r"SPARCS found <COUNT> of <COUNT> concepts? people name, <SHARE> of their weight", _sparcs_found
    ),
    claim("sparcs missed", r"; it misses <LIST>", lambda m, e, v: _sparcs_named(m.group(1), e.missed)),
    claim("sparcs extra", r"; nobody else says <LIST>", lambda m, e, v: _sparcs_named(m.group(1), e.extra)),
)


def _flow(m: re.Match[str], e: Any, evidence: Evidence) -> bool:
    strongest = [max(heads) for heads in e.flows]
    order = sorted(strongest)
    half = len(order) // 2
    median = order[half] if len(order) % 2 else (order[half - 1] + order[half]) / 2
    layers = [int(text) - 1 for text in re.findall(r"\d+", m.group(1))]
    mean = sum(strongest[layer] for layer in layers) / len(layers)
    return is_number(m.group(2), median) and abs(mean - median) < 1e-6 and abs(e.flow - median) < 1e-6


def _raises(m: re.Match[str], e: Any, sign: int) -> bool:
    moves = [sign * (e.value - value) for value in e.without]
    own = [move for word, move in zip(e.words, moves, strict=True) if quoted(word) == m.group(1)]
    said = abs(sign * float(m.group(2)) - max(moves)) <= 0.0005 + 1e-9
    return bool(said and max(own) == max(moves) > 0)


FLOW: tuple[Claim, ...] = (
    claim("flow nothing", r"(?:MIMA|SPURTS) has nothing to read", lambda m, e, v: e.value == 0),
    claim(
        "flow heads",
        r"In the middle layers? \(([\d, and]+)\) of minilm the strongest heads carry a flow of <NUMBER> out of 1",
        _flow,
    ),
    claim(
        "mima",
        r"; MIMA, how ordinary the wording is, is 1 minus that: <NUMBER>",
        lambda m, e, v: is_number(m.group(1), 1 - e.flow),
    ),
    claim(
        "spurts",
        r"; SPURTS, how distinct the content words are, is that flow with stop words hidden",
        lambda m, e, v: e.plain == e.flow,
    ),
    claim(
        "flow estimate",
        r"\. The score, <NUMBER>, estimates what the paper's transformer would give",
        lambda m, e, v: is_number(m.group(1), e.value),
    ),
    claim("flow raises", rf"\. Of its words <WORD> raises it most \({CHANGE}\)", lambda m, e, v: _raises(m, e, 1)),
    claim(
        "flow lowers",
        rf"(?:\. Of its words| and) <WORD> lowers it most \({CHANGE}\)",
        lambda m, e, v: _raises(m, e, -1),
    ),
)


def _beside(text: str, term: Any) -> bool:
    if text == "at people's mean":
        return bool(abs(term.standardised) < 0.0005)
    m = re.fullmatch(r"(.+?)(?: standard deviations)? (above|below) people's mean", text)
    assert m
    return is_number(m[1], abs(term.standardised)) and (term.standardised > 0) == (m[2] == "above")


BESIDE = r"((?:under 0\.01|\d+\.\d\d)(?: standard deviations)? (?:above|below) people's mean|at people's mean)"
SMURF: tuple[Claim, ...] = (
    claim(
        "smurf said",
        rf"SMURF <NUMBER>: what the caption says is {BESIDE}",
        lambda m, e, v: is_number(m.group(1), e.value) and _beside(m.group(2), e.terms[0]),
    ),
    claim(
        "smurf style",
        rf"; its style, {BESIDE}, earns (nothing|under 0\.01|\d+\.\d\d) where people's mean style earns <NUMBER>",
        lambda m, e, v: (
            _beside(m.group(1), e.terms[1])
            and (
                e.terms[1].standardised - e.threshold < 0.0005
                if m.group(2) == "nothing"
                else is_number(m.group(2), e.terms[1].standardised - e.threshold)
            )
            and is_number(m.group(3), -e.threshold)
            and e.terms[0].standardised >= e.threshold
        ),
    ),
    claim(
        "smurf no style",
        r", so little that its style earns nothing",
        lambda m, e, v: e.terms[0].standardised < e.threshold,
    ),
    claim(
        "smurf grammar free",
        rf"; its grammar, {BESIDE}, costs nothing",
        lambda m, e, v: _beside(m.group(1), e.terms[2]) and e.terms[2].standardised > e.threshold - 0.0005,
    ),
    claim(
        "smurf grammar",
        rf"; its odd grammar, {BESIDE}, costs <NUMBER>",
        lambda m, e, v: (
            _beside(m.group(1), e.terms[2]) and is_number(m.group(2), e.threshold - e.terms[2].standardised)
        ),
    ),
    claim(
        "smurf average",
        r"\. The score is the sum of these over (\d)",
        lambda m, e, v: abs(e.value - sum(t.contribution for t in e.terms if t.counted) / int(m.group(1))) < 1e-9,
    ),
)
