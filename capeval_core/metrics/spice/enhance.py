"""Edits of the collapsed graph before tuples are read: "a lot of" becomes a determiner, pronouns their antecedents.

SPICE.md, part B1. The original's steps for compounds, particles, plurals and further conjuncts leave no trace in its
tuples and are not here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from capeval_core.metrics.spice.graph import NOUNS, Graph

_Match = tuple[int, list[int]]  # the quantified noun; words of the phrase besides the quantifier and its modifiers


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_AFTER_ARTICLE = _words(
    "lot assortment number couple bunch handful litany sheaf slew dozen series variety multitude wad clutch wave "
    "mountain array spate string ton range plethora heap sort form kind type version bit pair triple total"
)
_PLURAL = _words(
    "lots many several plenty tons dozens multitudes mountains loads pairs tens hundreds thousands millions billions "
    "trillions"
)
_PARTITIVE = _words(
    "some all both neither everyone nobody one two three four five six seven eight nine ten hundred thousand million "
    "billion trillion"
)
_SINGULAR_PRONOUNS = _words(
    "i me myself mine my yourself he him himself his she her herself hers it itself its one oneself one's"
)
_SINGULAR_NOUNS = frozenset(("NN", "NNP"))


def enhance(graph: Graph) -> None:
    words = {word.lower() for word in graph.parse.words}
    if "of" in words:
        _attach_quantifiers(graph, words)
    if any(tag.startswith("PRP") for tag in graph.parse.tags):
        _resolve_pronouns(graph)


def _attach_quantifiers(graph: Graph, words: set[str]) -> None:
    for known, pattern in ((_AFTER_ARTICLE, _after_article), (_PLURAL, _plural), (_PARTITIVE, _partitive)):
        if known.isdisjoint(words) and not any(word[:1].isdigit() for word in words):
            continue
        # Matches are looked for before any is applied, the phrase's modifiers only then: in "lots of pairs of shoes"
        # the first match changes what stands below "pairs".
        matches = [(node, match) for node in graph.pattern_order() if (match := pattern(graph, node))]
        for quantifier, (noun, phrase) in matches:
            modifiers = _modifiers(graph, quantifier, "amod" if pattern is _after_article else None)
            if not _attach_quantifier(graph, quantifier, noun, [quantifier, *phrase, *modifiers]):
                return


def _after_article(graph: Graph, quantifier: int) -> _Match | None:
    """a couple of people"""
    if graph.word(quantifier).lower() not in _AFTER_ARTICLE:
        return None
    article = next((d for d in graph.dependents(quantifier, "det") if graph.word(d).lower() in ("a", "an")), None)
    noun, of = next(_quantified(graph, quantifier), (0, 0))
    return (noun, [article, of]) if noun and article is not None else None


def _plural(graph: Graph, quantifier: int) -> _Match | None:
    """hundreds of people"""
    word = graph.word(quantifier).lower()
    if word not in _PLURAL and not (word.endswith("s") and _is_number(word[:-1])):
        return None
    noun, of = next(_quantified(graph, quantifier), (0, 0))
    return (noun, [of]) if noun else None


def _partitive(graph: Graph, quantifier: int) -> _Match | None:
    """two of the dogs, some of them"""
    word = graph.word(quantifier).lower()
    if word not in _PARTITIVE and not _is_number(word):
        return None
    pairs = list(_quantified(graph, quantifier))
    position = graph.position
    definite = [
        (noun, of)
        for noun, of in pairs
        if graph.tag(noun).startswith("NN")
        and any(position[d] == position[of] + 1 for d in graph.dependents(noun, "det"))
    ]
    pronouns = [(noun, of) for noun, of in pairs if graph.tag(noun).startswith("PRP")]
    noun, of = next(iter(definite + pronouns), (0, 0))
    return (noun, [of]) if noun else None


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit()


def _quantified(graph: Graph, quantifier: int) -> Iterator[tuple[int, int]]:
    """The nouns and pronouns below the quantifier whose "of" follows it at once, each with that "of"."""
    below = graph.below[quantifier]
    for noun in graph.visit(below):
        if not any(label.startswith("nmod") for label in below[noun]) or not graph.tag(noun).startswith(("NN", "PRP")):
            continue
        for of in graph.dependents(noun, "case"):
            if graph.position[of] == graph.position[quantifier] + 1 and graph.word(of).lower() == "of":
                yield noun, of


def _modifiers(graph: Graph, quantifier: int, relation: str | None) -> list[int]:
    """What stands below the quantifier and before it."""
    position, below = graph.position, graph.below[quantifier]
    return [
        node
        for node in graph.visit(below)
        if position[node] < position[quantifier] and (relation is None or relation in below[node])
    ]


def _attach_quantifier(graph: Graph, quantifier: int, noun: int, phrase: list[int]) -> bool:
    """Hang the phrase below the noun, which takes the quantifier's place. False: no place found, stop all of it."""
    if quantifier in graph.roots:
        del graph.roots[quantifier]
        graph.roots[noun] = None
    else:
        parent = graph.parent(quantifier)
        if parent is None:
            return False
        relation = graph.below[parent][quantifier][0]
        graph.remove(parent, quantifier)
        graph.add(parent, noun, relation)
    graph.remove(quantifier, noun)
    words = sorted(dict.fromkeys(phrase), key=lambda node: graph.position[node])
    for node in words:
        graph.isolate(node)
    graph.add(noun, words[0], "det:qmod")
    for node in words[1:]:
        graph.add(words[0], node, "mwe")
    return True


def _resolve_pronouns(graph: Graph) -> None:
    """Pronouns give their edges to the first noun of the sentence, seen from the root, that stands before them."""
    if not graph.roots:
        return
    reached = _breadth_first(graph)
    first = {True: _first_noun(graph, reached, _SINGULAR_NOUNS), False: _first_noun(graph, reached, NOUNS)}
    pairs = []
    for node in graph.visit(graph.nodes):
        # Copies stand for their word.
        pronoun, antecedent = graph.position[node], first[graph.word(node) in _SINGULAR_PRONOUNS]
        if graph.tag(node).startswith("PRP") and 0 < antecedent < pronoun and graph.parent(node) is not None:
            pairs.append((pronoun, antecedent))
    for pronoun, antecedent in pairs:
        _replace(graph, pronoun, antecedent)


def _breadth_first(graph: Graph) -> list[int]:
    start = next(iter(graph.roots))
    seen, order, waiting = {start}, [], deque([start])
    while waiting:
        node = waiting.popleft()
        order.append(node)
        for dependent in sorted(graph.below[node], key=lambda d: graph.position[d]):
            if dependent not in seen:
                seen.add(dependent)
                waiting.append(dependent)
    return order


def _first_noun(graph: Graph, nodes: list[int], tags: frozenset[str]) -> int:
    return next((graph.position[node] for node in nodes if graph.tag(node) in tags), 0)


def _replace(graph: Graph, old: int, new: int) -> None:
    for governor in tuple(graph.above[old]):
        for label in graph.below[governor][old]:
            graph.add(governor, new, label)
    graph.isolate(old)
    for dependent, labels in tuple(graph.below[old].items()):
        for label in labels:
            graph.add(new, dependent, label)
        graph.detach(old, dependent)
