"""Dependency graph -> the tuples a caption proposes: objects, attributes and relations, in the original's order.

A tuple is (object,), (object, attribute) or (subject, predicate, object). SPICE.md, part B2; the rules run in the order
of `_RULES`. The order of tuples matters, since scene graphs merge words in that order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from capeval_core.metrics.spice.collapse import collapse
from capeval_core.metrics.spice.enhance import enhance
from capeval_core.metrics.spice.graph import Graph
from capeval_core.metrics.spice.view import View, view_of
from capeval_core.text.parse import Parse

Tuple = tuple[str, ...]

_NO_PREPOSITION = frozenset(("nmod:poss", "nmod:agent"))


def propose(sentences: Sequence[Parse]) -> tuple[Tuple, ...]:
    """The tuples of one caption, given the parses of its sentences."""
    found: list[Tuple] = []
    for number, parse in enumerate(sentences):
        graph = collapse(parse, number)
        enhance(graph)
        found += read_tuples(graph)
    return tuple(found)


def read_tuples(graph: Graph) -> list[Tuple]:
    """The tuples of one enhanced graph."""
    view = view_of(graph)
    return [found for relation, rule in _RULES if relation in view.relations for found in rule(view)]


def _predicate(view: View, node: int) -> str:
    """The lemma, with its particle ("pick up")."""
    lemma = view.graph.parse.lemmas[view.graph.position[node] - 1]
    particles = view.below[node].get("compound:prt")
    if not particles:
        return lemma
    return f"{'' if lemma == 'be' else lemma} {view.graph.word(particles[0])}"


def _preposition(relation: str) -> str:
    """in_front_of -> in front of; empty for relations without one."""
    if not relation.startswith("nmod:") or relation in _NO_PREPOSITION:
        return ""
    return relation[5:].replace("_", " ")


def _with_preposition(predicate: str, relation: str) -> str:
    preposition = _preposition(relation)
    return f"{predicate} {preposition}" if preposition else predicate


def _objects_of(view: View, node: int) -> list[tuple[str, int]]:
    return [
        (relation, child)
        for relation, child in view.edges[node]
        if child in view.nouns and (relation in ("dobj", "iobj") or relation.startswith("nmod:"))
    ]


def _noun_subjects(view: View, node: int) -> list[int]:
    return [child for child in view.below[node].get("nsubj", ()) if child in view.nouns]


def _subject_verb_object(view: View) -> Iterator[Tuple]:
    for node in view.governors:
        if "nsubj" not in view.below[node] or "cop" in view.below[node]:
            continue
        objects = _objects_of(view, node)
        predicate = _predicate(view, node)
        for subject in _noun_subjects(view, node):
            for relation, child in objects:
                yield view.names[subject], _with_preposition(predicate, relation), view.names[child]


def _reduced_clause(view: View) -> Iterator[Tuple]:
    """a man riding a horse: the noun is the subject, of passive participles too"""
    for node in view.governors:
        for verb in view.below[node].get("acl", ()):
            if view.tags[verb].startswith("V"):
                predicate = _predicate(view, verb)
                for relation, child in _objects_of(view, verb):
                    yield view.names[node], _with_preposition(predicate, relation), view.names[child]


def _subject_without_object(view: View) -> Iterator[Tuple]:
    for node in view.governors:
        if "nsubj" in view.below[node] and "cop" not in view.below[node] and not _objects_of(view, node):
            yield from _predicated(view, node)


def _copula(view: View) -> Iterator[Tuple]:
    for node in view.governors:
        if "cop" in view.below[node]:
            yield from _predicated(view, node)


def _predicated(view: View, node: int) -> Iterator[Tuple]:
    """the cat is on top of the car -> relation; the dog runs, the boy is tall -> attribute"""
    word = view.graph.word
    for subject in _noun_subjects(view, node):
        if case := view.below[node].get("case"):
            preposition = " ".join(map(word, (case[0], *view.below[case[0]].get("mwe", ()))))
            yield view.names[subject], preposition, view.names[node]
        elif view.graph.parse.lemmas[view.graph.position[node] - 1] != "be":
            yield view.names[subject], view.names[node]


def _adjective_modifier(view: View) -> Iterator[Tuple]:
    for node in view.governors:
        for adjective in view.below[node].get("amod", ()):
            yield view.names[node], view.names[adjective]


def _adjective_predicate(view: View) -> Iterator[Tuple]:
    for node in view.governors:
        if view.tags[node].startswith("J"):
            for subject in view.below[node].get("nsubj", ()):
                yield view.names[subject], view.names[node]


def _prepositional_modifier(view: View) -> Iterator[Tuple]:
    for node in view.governors:
        if node in view.nouns:
            for relation, child in view.edges[node]:
                if preposition := _preposition(relation):
                    yield view.names[node], preposition, view.names[child]


def _possessive(view: View) -> Iterator[Tuple]:
    for node in view.governors:
        if node in view.nouns:
            for owner in view.below[node].get("nmod:poss", ()):
                if owner in view.nouns:
                    yield view.names[owner], "have", view.names[node]


def _passive_agent(view: View) -> Iterator[Tuple]:
    for node in view.governors:
        if "nmod:agent" not in view.below[node] or not view.tags[node].startswith("V"):
            continue
        patients = [child for child in view.below[node].get("nsubjpass", ()) if child in view.nouns]
        for agent in view.below[node]["nmod:agent"]:
            if agent in view.nouns:
                for patient in patients:
                    yield view.names[agent], _predicate(view, node), view.names[patient]


def _numbers(view: View) -> Iterator[Tuple]:
    """Plural nouns and their numbers. A second plural object of a verb with a plural subject gets none."""
    if not view.plurals:
        return
    subject_of: dict[int, list[int]] = {}
    covered: set[int] = set()  # objects of verbs with a plural subject
    for node in view.governors:
        subjects = view.below[node].get("nsubj", ())
        for child in subjects:
            subject_of.setdefault(child, []).append(node)
        first = next((child for child in subjects if child in view.plurals), None)
        if first is None:
            continue
        covered.update(d for relation, d in view.edges[node] if _is_object(relation) or relation.startswith("nmod"))
        plural_object = _plural_object(view, node)
        if plural_object is not None:
            yield from _number(view, (first, plural_object))
    plurals = [node for node in view.order if node in view.plurals]
    roots = view.graph.roots
    lone = [n for n in plurals if n in roots or any(_plural_object(view, p) is None for p in subject_of.get(n, ()))]
    yield from _number(view, lone)
    yield from _number(view, [n for n in plurals if n not in roots and n not in subject_of and n not in covered])


def _is_object(relation: str) -> bool:
    return len(relation) == 4 and relation.endswith("obj")


def _plural_object(view: View, node: int) -> int | None:
    plural = [(relation, child) for relation, child in view.edges[node] if child in view.plurals]
    for relation, child in plural:
        if _is_object(relation):
            return child
    for relation, child in plural:
        if relation.startswith("nmod:") and "agent" not in relation[5:] and "case" in view.below[child]:
            return child
    return None


def _number(view: View, nodes: Iterable[int]) -> Iterator[Tuple]:
    position = view.graph.position
    for node in nodes:
        numbers = view.below[node].get("nummod")
        if numbers:
            if position[numbers[0]] < position[node]:
                yield view.names[node], view.names[numbers[0]]
        elif phrases := view.below[node].get("det:qmod"):
            yield view.names[node], view.names[phrases[0]]


def _compounds_and_objects(view: View) -> Iterator[Tuple]:
    """fire truck -> (truck, fire); every noun outside compounds is an object"""
    compounded: set[int] = set()
    for node in view.governors:
        if node in view.nouns:
            for modifier in view.below[node].get("compound", ()):
                if modifier in view.nouns:
                    compounded |= {node, modifier}
                    yield view.names[node], view.names[modifier]
    for node in view.order:
        if node in view.nouns and node not in compounded:
            yield (view.names[node],)


# In this order; each with a relation without which it finds nothing ("" for none).
_RULES = (
    ("nsubj", _subject_verb_object),
    ("acl", _reduced_clause),
    ("nsubj", _subject_without_object),
    ("cop", _copula),
    ("amod", _adjective_modifier),
    ("nsubj", _adjective_predicate),
    ("", _prepositional_modifier),
    ("nmod:poss", _possessive),
    ("nmod:agent", _passive_agent),
    ("", _numbers),
    ("", _compounds_and_objects),
)
