"""SPICE drawn: the scene graphs of candidate and references, their tuples, and the scores of each kind."""

from __future__ import annotations

from collections.abc import Sequence

from capeval_core.figures.arithmetic import Term, fraction, harmonic, line, nothing
from capeval_core.figures.evidence import Chart, Evidence, Table
from capeval_core.figures.palette import Palette
from capeval_core.figures.scene import Edge, Node, draw_scene
from capeval_core.figures.words import clean, first, listing, plural, quoted, with_note
from capeval_core.metrics.spice import SpiceExplanation
from capeval_core.metrics.spice.spice import SceneGraph, SceneObject

MOST_OBJECTS = 12  # drawn on a side
Mentions = list[int]


def draw(explanation: SpiceExplanation, palette: Palette) -> Evidence:
    mentions = _mentions(explanation)
    ours = _chart(
        "Candidate", explanation.candidate_graph, "extra", [0] * len(explanation.candidate_graph.objects), palette
    )
    theirs = _chart("All references together", explanation.reference_graph, "missed", mentions, palette)
    parts: list[Chart | Table] = [chart for chart in (ours, theirs) if chart]
    return Evidence(
        with_note(_sentence(explanation, mentions), explanation.note),
        (*parts, _categories(explanation), _tuples(explanation)),
        (),
        _arithmetic(explanation),
    )


def _mentions(explanation: SpiceExplanation) -> Mentions:
    """How many references say each object of their graph."""
    texts = [
        f" {' '.join(word for parse in parses for word in (*parse.lemmas, '|', *parse.words))} "
        for parses in explanation.reference_parses
    ]
    return [
        sum(any(f" {word} " in text for word in one.words) for text in texts)
        for one in explanation.reference_graph.objects
    ]


def _sentence(explanation: SpiceExplanation, mentions: Mentions) -> str:
    total = explanation.categories[0]
    if not total.candidate or not total.references:
        return f"SPICE found nothing in the {'references' if total.candidate else 'candidate'} to compare."
    hits = sum(part.matched for part in explanation.reference_tuples)
    sentence = f"SPICE found {hits} of {plural(total.references, 'thing')} people mention"
    if hits != total.matched:  # nothing keeps two of the candidate's tuples from the same one
        sentence += f" (with {total.matched} of the candidate's own: some mean the same)"
    missed = _missed(explanation, mentions)
    if missed:
        sentence += f"; it missed {listing(first(map(quoted, missed), 3))}"
    extra = [phrase(part.parts, part.kind) for part in explanation.candidate_tuples if not part.matched]
    if extra:
        count = f"{len(extra)} of the candidate's {total.candidate}"
        names = listing(first(map(quoted, extra), 3))
        sentence += f"; {count} {'is' if len(extra) == 1 else 'are'} in no reference: {names}"
    return f"{sentence}."


def _missed(explanation: SpiceExplanation, mentions: Mentions) -> list[str]:
    """What references say and the candidate does not: objects first, the most mentioned before the others."""
    parts = explanation.reference_tuples  # objects, then attributes, then relations: as the graph has them
    order = sorted(range(len(parts)), key=lambda n: (n >= len(mentions), -mentions[n] if n < len(mentions) else 0, n))
    return [phrase(parts[n].parts, parts[n].kind) for n in order if not parts[n].matched]


def phrase(parts: Sequence[str], kind: str) -> str:
    """A tuple as people would say it: red jacket, man in boat."""
    return " ".join(reversed(parts) if kind == "Attribute" else parts)


def _arithmetic(explanation: SpiceExplanation) -> tuple[Term, ...]:
    total = explanation.categories[0]
    if not total.matched:
        return nothing("SPICE", "nothing matched")
    precision, recall = (fraction(total.matched, side, "counts") for side in (total.candidate, total.references))
    return line("SPICE", harmonic(precision, recall), explanation.value)


def _name(words: Sequence[str]) -> str:
    return "/".join(words)


def _kept(graph: SceneGraph, mentions: Mentions) -> list[int]:
    """The objects to draw: all, or the matched and the most mentioned."""
    order = sorted(range(len(graph.objects)), key=lambda n: (not graph.objects[n].matched, -mentions[n], n))
    return sorted(order[:MOST_OBJECTS])


def _chart(title: str, graph: SceneGraph, otherwise: str, mentions: Mentions, palette: Palette) -> Chart | None:
    if not graph.objects:
        return None
    kept = _kept(graph, mentions)
    place = {old: new for new, old in enumerate(kept)}
    nodes = [_node(graph.objects[n], otherwise, mentions[n]) for n in kept]
    edges = [
        Edge(place[one.subject], _name(one.words), place[one.object], "matched" if one.matched else otherwise)
        for one in graph.relations
        if one.subject in place and one.object in place
    ]
    if len(kept) < len(graph.objects):
        title += f" (the {len(kept)} most mentioned of {len(graph.objects)} objects)"
    return Chart(title, draw_scene(nodes, edges, palette, 360 if len(kept) > 4 else 320))


def _node(one: SceneObject, otherwise: str, mentions: int) -> Node:
    kind = "matched" if one.matched else otherwise
    said = f", in {plural(mentions, 'reference')}" if mentions else ""
    attributes = sorted(one.attributes, key=lambda attribute: not attribute[1])
    own = f"; {', '.join(_name(words) for words, _ in attributes)}" if attributes else ""
    return Node(
        _name(one.words),
        kind,
        tuple((_name(words), "matched" if matched else otherwise) for words, matched in attributes),
        f"{_name(one.words)}: {kind}{said}{own}",
    )


def _tuples(explanation: SpiceExplanation) -> Table:
    rows: list[tuple[str, str, str, str]] = []
    met = {match.candidate: match for match in explanation.matches}
    for place, part in enumerate(explanation.candidate_tuples):
        through = ""
        if place in met:
            words = [f"{link.candidate} = {link.reference}" for link in met[place].links if link.synset is not None]
            through = f"synonyms: {', '.join(words)}" if words else "same words"
        rows.append(("matched" if part.matched else "extra", part.kind.lower(), _spelled(part.parts), through))
    rows += [
        ("missed", part.kind.lower(), _spelled(part.parts), "")
        for part in explanation.reference_tuples
        if not part.matched
    ]
    rows.sort(key=lambda row: ("matched", "extra", "missed").index(row[0]))
    states, kinds, parts, reasons = ([row[n] for row in rows] for n in range(4))
    return Table(
        "What each side says",
        {"state": states, "kind": kinds, "tuple": parts, "matched through": [clean(text) for text in reasons]},
    )


def _spelled(parts: Sequence[str]) -> str:
    return clean(" – ".join(parts))


def _categories(explanation: SpiceExplanation) -> Table:
    rows = explanation.categories
    return Table(
        "Scores of each kind (a dash: the references say nothing of it)",
        {
            "kind": [row.name for row in rows],
            "matched": [row.matched for row in rows],
            "candidate": [row.candidate for row in rows],
            "references": [row.references for row in rows],
            "precision": [row.precision for row in rows],
            "recall": [row.recall for row in rows],
            "F": [row.f_score for row in rows],
        },
        "counts",
    )
