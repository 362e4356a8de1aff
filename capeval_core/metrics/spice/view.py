"""An enhanced graph as the tuple rules read it: everything looked up once, in the original's order."""

from __future__ import annotations

from dataclasses import dataclass

from capeval_core.metrics.spice.graph import NOUNS, Graph

_PLURALS = frozenset(("NNS", "NNPS"))


@dataclass(frozen=True, slots=True)
class View:
    """The graph as the rules read it. Entries are looked up by node."""

    order: list[int]
    governors: list[int]  # those of `order` that have dependents
    below: list[dict[str, list[int]]]  # relation -> dependents, in visiting order
    edges: list[list[tuple[str, int]]]  # the same as pairs, relations mixed
    relations: set[str]  # all there are, and ""
    tags: list[str]
    nouns: set[int]
    plurals: set[int]
    names: list[str]  # lemmas as tuples show them
    graph: Graph


def view_of(graph: Graph) -> View:
    parse, size = graph.parse, len(graph.position)
    tags, names = ["", *parse.tags], ["", *(lemma.strip().lower() for lemma in parse.lemmas)]
    for word in graph.position[len(tags) :]:
        tags.append(tags[word])
        names.append(names[word])
    order = graph.pattern_order()
    governors = [node for node in order if graph.below[node]]
    below: list[dict[str, list[int]]] = [{}] * size
    edges: list[list[tuple[str, int]]] = [[]] * size
    for node in governors:
        labels = graph.below[node]
        edges[node] = pairs = [(label, d) for d in graph.visit(labels) for label in labels[d]]
        relations: dict[str, list[int]] = {}
        for label, dependent in pairs:
            relations.setdefault(label, []).append(dependent)
        below[node] = relations
    nouns = {node for node in order if tags[node] in NOUNS}
    plurals = {node for node in nouns if tags[node] in _PLURALS}
    present = {""}.union(*(below[node] for node in governors))
    return View(order, governors, below, edges, present, tags, nouns, plurals, names, graph)
