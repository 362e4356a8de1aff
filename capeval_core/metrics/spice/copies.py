"""Coordinated prepositions and prepositional phrases: the governor is copied, one copy per further conjunct.

"a dog in a lot and on a leash" becomes in(dog, lot), and(dog, dog'), on(dog', leash). Steps three and four of the
collapse.
"""

from __future__ import annotations

from collections.abc import Iterator

from capeval_core.metrics.spice.graph import Graph

MARKED = frozenset(("nmod", "acl", "advcl"))  # relations that take their preposition into the label
_NEVER_MARKED = frozenset(("nmod:poss", "nmod:npmod", "nmod:tmod", "acl:relcl"))
# The rules make a copy per combination of prepositions, conjunctions and conjuncts. A learned parser's odd tree of
# 2,000 words could ask for millions; the original's most disturbed test trees have 24.
_MOST_COPIES = 256

_NEGATED = {("but", "rather"), ("if", "not"), ("instead", "of"), ("rather", "than")}
_ADDED = {("but", "also"), ("as", "well")}


def conjunction(graph: Graph, node: int) -> str:
    """What a coordinating word stands for in a label: itself, `and` or `negcc`."""
    words, at = graph.parse.words, graph.position[node] - 1
    word = words[at].lower()
    if word == "not" and at > 0 and words[at - 1].lower() == "but":
        return "negcc"
    if at + 1 == len(words):
        return words[at]
    pair = (word, words[at + 1].lower())
    if pair in _NEGATED:
        return "negcc"
    if pair in _ADDED or (pair == ("not", "to") and at + 2 < len(words) and words[at + 2].lower() == "mention"):
        return "and"
    return word


def with_marker(label: str, word: str) -> str:
    """`label` with `word` as its preposition, whatever stood there; other relations stay as they are."""
    base = label if label in _NEVER_MARKED else label.split(":", 1)[0]
    return f"{base}:{word}" if base in MARKED else label


def copy_for_phrases(graph: Graph) -> None:
    heads = [node for node in graph.nodes if _arrives_by(graph, node, MARKED)]
    matches = [(head, *match) for head in _coordinated(graph, heads) for match in _coordinated_phrases(graph, head)]
    for head, conjunction_word, conjuncts in matches:
        _copy_for_phrase(graph, head, conjunction_word, conjuncts)


def _arrives_by(graph: Graph, node: int, labels: frozenset[str]) -> bool:
    return any(not labels.isdisjoint(graph.below[governor][node]) for governor in graph.above[node])


def _coordinated(graph: Graph, nodes: list[int]) -> list[int]:
    """Those with a conjunction and conjuncts below them. Their order decides how the original numbers its copies."""
    found = {node for node in nodes if graph.has(node, "cc") and graph.has(node, "conj")}
    return list(found) if len(found) < 2 else [node for node in graph.pattern_order() if node in found]


def _coordinated_phrases(graph: Graph, head: int) -> Iterator[tuple[int, list[int]]]:
    """Each `cc`, once per `case` of `head`, with the conjuncts that have a `case` (once per each of theirs)."""
    words = graph.dependents(head, "cc")
    cases = graph.dependents(head, "case") if words else []
    conjuncts = [c for c in graph.dependents(head, "conj") for _ in graph.dependents(c, "case")] if cases else []
    if conjuncts:
        yield from ((word, conjuncts) for _ in cases[:_MOST_COPIES] for word in words)


def _copy_for_phrase(graph: Graph, head: int, conjunction_word: int, conjuncts: list[int]) -> None:
    governor = graph.up(head)
    if governor is None:
        return
    original = graph.position[governor]
    relation = graph.below[governor][head][0]
    label = f"conj:{conjunction(graph, conjunction_word)}"
    for conjunct in conjuncts:
        if len(graph.position) > len(graph.parse.words) + _MOST_COPIES:
            break
        copy = graph.copy_of(original)
        if graph.remove(head, conjunct, "conj"):
            graph.add(copy, conjunct, relation)
        graph.add(original, copy, label)
    if graph.remove(head, conjunction_word, "cc"):
        graph.add(original, conjunction_word, "cc")


def copy_for_prepositions(graph: Graph) -> None:
    prepositions = [node for node in graph.nodes if _arrives_by(graph, node, frozenset(("case",)))]
    matches = [
        (preposition, conjunction_word, graph.dependents(preposition, "conj"))
        for preposition in _coordinated(graph, prepositions)
        for conjunction_word in graph.dependents(preposition, "cc")
    ]
    for preposition, conjunction_word, conjuncts in matches:
        _copy_for_preposition(graph, preposition, conjunction_word, conjuncts)


def _copy_for_preposition(graph: Graph, preposition: int, conjunction_word: int, conjuncts: list[int]) -> None:
    modifier = graph.up(preposition)
    governor = None if modifier is None else graph.up(modifier)
    if modifier is None or governor is None:
        return
    original = graph.position[governor]
    relation = graph.below[governor][modifier][0]
    label = f"conj:{conjunction(graph, conjunction_word)}"
    for conjunct in conjuncts:
        if len(graph.position) > len(graph.parse.words) + _MOST_COPIES:
            break
        copy = graph.copy_of(original)
        graph.add(original, copy, label)
        graph.add(copy, modifier, with_marker(relation, graph.word(conjunct).lower()))
