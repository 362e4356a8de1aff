"""METEOR drawn: the alignment with the winning reference, word to word, its chunks as bands."""

from __future__ import annotations

from collections import Counter

from capeval_core.figures.arithmetic import Formula, Number, Term, line, nothing
from capeval_core.figures.evidence import Caption, Chart, Evidence, Table, Word
from capeval_core.figures.links import MOST_LINKED, Chunk, Link, linked
from capeval_core.figures.numbers import number
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import caption, clean, listing, noted, plural, with_note
from capeval_core.metrics.meteor import MeteorExplanation, MeteorLink, MeteorReference

KINDS = {"exact": "matched", "stem": "near", "synonym": "near", "paraphrase": "near"}
DASHES = {"exact": "solid", "stem": "dash", "synonym": "dot", "paraphrase": "dashdot"}
AS = ("stem", "synonym", "paraphrase")


def draw(explanation: MeteorExplanation, palette: Palette) -> Evidence:
    winner = explanation.references[explanation.winner]
    longest = max(len(explanation.tokens), len(winner.tokens))
    title = noted(f"Aligned with reference {explanation.winner + 1}, the best", longest, MOST_LINKED)
    parts: list[Caption | Chart | Table] = [
        Chart(f"{title}{_key(winner)}", _alignment(explanation, explanation.winner, palette))
    ]
    if longest > MOST_LINKED:
        parts += _captions(explanation, explanation.winner)
    parts.append(_steps(winner))
    others = [place for place in range(len(explanation.references)) if place != explanation.winner]
    return Evidence(
        with_note(_sentence(explanation), explanation.note),
        tuple(parts),
        (
            _table(explanation),
            *(part for place in others[:4] for part in _captions(explanation, place)),
        ),
        _arithmetic(explanation),
    )


def _key(reference: MeteorReference) -> str:
    """The line styles on show; all-exact alignments need none."""
    names = {"exact": "solid: same word", "stem": "dashed: same stem", "synonym": "dotted: synonym"}
    names["paraphrase"] = "dash-dotted: paraphrase"
    used = {link.module for link in reference.links}
    return "" if used <= {"exact"} else " · " + ", ".join(text for module, text in names.items() if module in used)


def _sentence(explanation: MeteorExplanation) -> str:
    winner = explanation.references[explanation.winner]
    matched = sum(link.candidate_length for link in winner.links)
    total = plural(len(explanation.tokens), "word")
    if not explanation.tokens:
        return "METEOR has nothing to match: the candidate has no words."
    if not matched:
        return f"METEOR matched none of the candidate's {total} with a reference."
    words = Counter[str]()
    for link in winner.links:
        words[link.module] += link.candidate_length
    near = [f"{words[module]} {_as(module, words[module])}" for module in AS if words[module]]
    inside = f" ({listing(near)})" if near else ""
    chunks = "one chunk" if winner.chunks == 1 else f"{winner.chunks} chunks"
    cost = "nothing is lost to breaks"
    if winner.chunks > 1:
        cost = f"in one chunk the same matches would score {number(winner.unbroken)}, not {number(winner.score)}"
    return f"METEOR matched {matched} of {total}{inside} in {chunks}; {cost}."


def _arithmetic(explanation: MeteorExplanation) -> tuple[Term, ...]:
    winner, options = explanation.references[explanation.winner], explanation.options
    if not winner.f_mean:
        return nothing("METEOR", "nothing matched")
    mean: Formula = [
        f"1 / ({1 - options.alpha:.6g}/",
        Number(winner.precision, "steps"),
        f" + {options.alpha:.6g}/",
        Number(winner.recall, "steps"),
        ")",
    ]
    penalty: Formula = [f"{options.gamma:.6g} × ", Number(winner.fragmentation, "steps"), f"^{options.beta:.6g}"]
    return line("METEOR", [*mean, " × (1 − ", *penalty, ")"], explanation.value)


def _as(module: str, count: int) -> str:
    if module == "paraphrase":
        return "in paraphrases" if count > 1 else "in a paraphrase"
    return f"as {module}s" if count > 1 else f"as a {module}"


def _alignment(explanation: MeteorExplanation, place: int, palette: Palette) -> object:
    reference = explanation.references[place]
    links = [
        Link(
            (link.candidate_start, link.candidate_length),
            (link.reference_start, link.reference_length),
            KINDS[link.module],
            _hint(explanation, reference, link),
            DASHES[link.module],
        )
        for link in reference.links
    ]
    names = "candidate", f"reference {place + 1}"
    return linked(palette, names, _words(explanation, place), links, _chunks(reference))


def _hint(explanation: MeteorExplanation, reference: MeteorReference, link: MeteorLink) -> str:
    ours = " ".join(explanation.tokens[link.candidate_start : link.candidate_start + link.candidate_length])
    theirs = " ".join(reference.tokens[link.reference_start : link.reference_start + link.reference_length])
    return f"{ours} – {theirs}: {link.module}, chunk {link.chunk + 1}"


def _chunks(reference: MeteorReference) -> list[Chunk]:
    chunks: dict[int, list[MeteorLink]] = {}
    for link in reference.links:
        chunks.setdefault(link.chunk, []).append(link)
    return [
        Chunk(
            (chunk[0].candidate_start, chunk[-1].candidate_start + chunk[-1].candidate_length - 1),
            (chunk[0].reference_start, chunk[-1].reference_start + chunk[-1].reference_length - 1),
        )
        for chunk in chunks.values()
    ]


def _words(explanation: MeteorExplanation, place: int) -> tuple[list[Word], list[Word]]:
    reference = explanation.references[place]
    ours: dict[int, str] = {}
    theirs: dict[int, str] = {}
    for link in reference.links:
        ours |= dict.fromkeys(range(link.candidate_start, link.candidate_start + link.candidate_length), link.module)
        theirs |= dict.fromkeys(range(link.reference_start, link.reference_start + link.reference_length), link.module)
    return (
        _side(explanation.tokens, explanation.function_words, ours, "extra"),
        _side(reference.tokens, reference.function_words, theirs, "missed"),
    )


def _side(tokens: tuple[str, ...], light: tuple[bool, ...], modules: dict[int, str], otherwise: str) -> list[Word]:
    found = []
    for place, (text, function_word) in enumerate(zip(tokens, light, strict=True)):
        weight = "; a function word, it weighs less" if function_word else ""
        hint = f"matched: {modules[place]}{weight}" if place in modules else f"not matched{weight}"
        kind = KINDS[modules[place]] if place in modules else otherwise
        found.append(Word(text, kind, 0.2 if function_word else 0.6, hint))
    return found


def _captions(explanation: MeteorExplanation, place: int) -> list[Caption]:
    ours, theirs = _words(explanation, place)
    return [
        caption("candidate", explanation.tokens, ours.__getitem__),
        caption(f"reference {place + 1}", explanation.references[place].tokens, theirs.__getitem__),
    ]


def _steps(reference: MeteorReference) -> Table:
    steps = {
        "precision: weight matched of the candidate": reference.precision,
        "recall: weight matched of the reference": reference.recall,
        "their weighted mean": reference.f_mean,
        "fragmentation: chunks by matched words": reference.fragmentation,
        "penalty for fragmentation": reference.penalty,
        "score: mean × (1 − penalty)": reference.score,
        "score of the same matches in one chunk": reference.unbroken,
    }
    return Table("From matches to the score", {"step": list(steps), "value": list(steps.values())}, "steps")


def _table(explanation: MeteorExplanation) -> Table:
    references = explanation.references
    return Table(
        "Each reference; the best one alone counts",
        {
            "reference": list(range(1, len(references) + 1)),
            "caption": [clean(" ".join(reference.tokens)) for reference in references],
            "matched words": [sum(link.candidate_length for link in reference.links) for reference in references],
            "chunks": [reference.chunks for reference in references],
            "penalty": [reference.penalty for reference in references],
            "score": [reference.score for reference in references],
        },
    )
