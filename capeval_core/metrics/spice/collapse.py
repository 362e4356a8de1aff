"""Basic dependency tree -> collapsed, CC-processed graph, as CoreNLP 3.6.0 gives it to SPICE.

Prepositions move into the labels of their phrases (nmod:on), conjunctions into those of their conjuncts (conj:and), and
conjuncts share their governors and subjects. Written from the behaviour described in SPICE.md, part A; parity with the
original's graphs is in tests/metrics/test_spice_collapse.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, permutations

from capeval_core.metrics.spice.copies import MARKED, conjunction, copy_for_phrases, copy_for_prepositions
from capeval_core.metrics.spice.graph import Graph
from capeval_core.metrics.spice.multiword import attach_multiword_prepositions
from capeval_core.text.parse import Parse

_SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass"))
_PASSIVE = {"nsubj": "nsubjpass", "csubj": "csubjpass"}
_ACTIVE = {passive: active for active, passive in _PASSIVE.items()}
# Markers are tried for every two `mwe` words below a preposition. Real ones have two; the bound is for odd trees.
_MOST_MWE = 16


def collapse(parse: Parse, sentence: int = 0) -> Graph:
    """The graph of one sentence; `sentence` is its number in the caption, from 0 (it decides the order of nodes)."""
    graph = Graph(parse, sentence)
    if not graph.roots:
        return graph
    coordinated = "cc" in parse.relations
    if "auxpass" in parse.relations:
        _name_passive_subjects(graph)
    attach_multiword_prepositions(graph)
    if coordinated:
        copy_for_phrases(graph)
        copy_for_prepositions(graph)
    _mark_prepositions(graph)
    if coordinated:
        _name_conjuncts(graph)
    if coordinated or any(relation.startswith("conj:") for relation in parse.relations):
        _share_among_conjuncts(graph)
    return graph


def _name_passive_subjects(graph: Graph) -> None:
    for governor in graph.nodes:
        if graph.has(governor, "auxpass"):
            for labels in graph.below[governor].values():
                labels[:] = [_PASSIVE.get(label, label) for label in labels]


def _mark_prepositions(graph: Graph) -> None:
    """nmod, acl and advcl take the words of their preposition into the label."""
    bare = [(governor, dependent) for governor, dependent, label in graph.edges() if label in MARKED]
    for governor, dependent in bare:
        cases = graph.dependents(dependent, "case")
        if cases:
            _mark_edge(graph, governor, dependent, cases)


def _mark_edge(graph: Graph, governor: int, dependent: int, cases: list[int]) -> None:
    labels = graph.below[governor][dependent]
    at = next((k for k, label in enumerate(labels) if label in MARKED), None)
    if at is None:
        return
    base = labels[at]
    agent = base == "nmod" and any(graph.word(c).lower() == "by" for c in cases) and graph.has(governor, "auxpass")
    if agent:
        labels[at] = "nmod:agent"
        return
    # The last marker wins over those before it, yet the edges that their gaps gave stay.
    for marker in _markers(graph, cases):
        *extra, words = _marker_words(graph, marker)
        labels[at] = f"{base}:{words}"
        labels += [f"{base}:{part}" for part in extra]


def _markers(graph: Graph, cases: list[int]) -> Iterator[tuple[int, ...]]:
    """The prepositions with the most words: with two `mwe` words each, else with one, else alone."""
    parts = [(case, graph.dependents(case, "mwe")[-_MOST_MWE:]) for case in cases]
    longest = min(2, max(len(mwe) for _, mwe in parts))
    for case, mwe in parts:
        for others in permutations(mwe, longest):
            yield (case, *others)


def _marker_words(graph: Graph, marker: tuple[int, ...]) -> list[str]:
    """The marker as one string; in parts, cut at each gap, where its words do not stand side by side."""
    if len(marker) == 1:
        return [graph.word(marker[0]).lower()]
    ordered = sorted(marker, key=lambda node: graph.position[node])
    parts: list[str] = []
    current = graph.word(ordered[0]).lower()
    for before, node in pairwise(ordered):
        if graph.position[node] == graph.position[before] + 1:
            # After a gap the original forgets the underscore.
            current += ("" if parts else "_") + graph.word(node).lower()
        else:
            parts.append(current)
            current = graph.word(node).lower()
    return [*parts, current]


def _name_conjuncts(graph: Graph) -> None:
    """conj becomes conj:and, by the last conjunction before it, else by the first."""
    for governor in graph.nodes:
        below = graph.below[governor].items()
        conjuncts = [(d, labels, k) for d, labels in below for k, label in enumerate(labels) if label == "conj"]
        for word in graph.dependents(governor, "cc") if conjuncts else ():
            name = f"conj:{conjunction(graph, word)}"
            for conjunct, labels, k in conjuncts:
                if labels[k] == "conj" or graph.position[conjunct] > graph.position[word]:
                    labels[k] = name


def _share_among_conjuncts(graph: Graph) -> None:
    """A conjunct gets the governors and, being a verb or adjective without one, the subject of the first conjunct."""
    pairs = [(first, other) for first, other, label in graph.edges() if label.startswith("conj:")]
    shared = [edge for pair in pairs for edge in (*_shared_governors(graph, *pair), *_shared_subject(graph, *pair))]
    for governor, dependent, label in shared:
        graph.add(governor, dependent, label)


def _shared_governors(graph: Graph, first: int, other: int) -> Iterator[tuple[int, int, str]]:
    for governor in graph.above[first]:
        if governor == other:
            continue
        for label in graph.below[governor][first]:
            if label == "case":
                continue
            if label in ("dobj", "nsubj") and graph.has(first, "acl:relcl") and graph.has(other, "acl:relcl"):
                continue
            yield governor, other, label


def _shared_subject(graph: Graph, first: int, other: int) -> Iterator[tuple[int, int, str]]:
    tag = graph.tag(other)
    if not tag.startswith(("VB", "JJ")) or _subject(graph, other):
        return
    found = _subject(graph, first)
    if found is None:
        return
    subject, label = found
    if label in _ACTIVE and (tag in ("VB", "VBZ", "VBP") or tag.startswith("JJ")):
        label = _ACTIVE[label]
    elif label in _PASSIVE and graph.has(other, "auxpass"):
        label = _PASSIVE[label]
    yield other, subject, label


def _subject(graph: Graph, node: int) -> tuple[int, str] | None:
    below = graph.below[node]
    for dependent in graph.visit(below):
        for label in below[dependent]:
            if label in _SUBJECTS:
                return dependent, label
    return None
