"""Multi-word prepositions ("next to", "in front of"): their words are re-attached below the noun they govern.

The second step of the collapse. Three lists are tried in turn; an entry counts where its words stand side by side and
the tree has the shape that the list asks for.
"""

from __future__ import annotations

from collections.abc import Callable

from capeval_core.metrics.spice.graph import Graph

_SIMPLE = (
    "across from, along with, alongside of, apart from, as for, as from, as of, as per, as to, aside from, based on, "
    "close by, close to, contrary to, compared to, compared with, except for, exclusive of, far from, followed by, "
    "inside of, irrespective of, next to, near to, off of, out of, outside of, owing to, preliminary to, "
    "preparatory to, previous to, pursuant to, regardless of, subsequent to, thanks to, together with"
)
_HEADED = (
    "apart from, as from, aside from, away from, close by, close to, contrary to, far from, next to, near to, out of, "
    "outside of, pursuant to, regardless of, together with"
)
_THREE_WORDS = (
    "by means of, in accordance with, in addition to, in case of, in front of, in lieu of, in place of, in spite of, "
    "on account of, on behalf of, on top of, with regard to, with respect to"
)
# A predicate noun keeps these relations when its first preposition word hands its place over.
_CLAUSAL = frozenset(("conj", "xcomp", "ccomp", "acl", "advcl", "acl:relcl", "parataxis", "appos", "list"))


def attach_multiword_prepositions(graph: Graph) -> None:
    words = [word.lower() for word in graph.parse.words]
    found = []
    for start in range(len(words) - 1):
        for length in _LENGTHS_BY_FIRST_WORD.get(words[start], ()):
            for rank, rule in _ENTRIES.get(tuple(words[start : start + length]), ()):
                found.append((rank, start + 1, rule))
    # By list, inside it by entry, occurrences from left to right.
    for _, first, rule in sorted(found, key=lambda occurrence: occurrence[:2]):
        rule(graph, first)


def _join_simple(graph: Graph, first: int) -> None:
    """Both words hang on one governor: the second becomes part of the first."""
    second = first + 1
    governor, other = graph.up(first), graph.up(second)
    if governor is None or governor != other or graph.below[first] or graph.below[second]:
        return
    relation = graph.below[governor][first][0]
    if relation not in ("case", "advmod") or graph.below[governor][second][0] != "case":
        return
    graph.remove(governor, first)
    graph.remove(governor, second)
    graph.add(governor, first, "case")
    graph.add(first, second, "mwe")


def _join_headed(graph: Graph, first: int) -> None:
    """The first word governs the noun (next -> wall): they change places."""
    second = first + 1
    noun = _governor_by(graph, second, ("case",))
    if noun is None or graph.below[second] or "nmod" not in graph.below[first].get(noun, ()):
        return
    graph.remove(first, noun, "nmod")
    relation = "nmod"
    governor = graph.up(first)
    if governor is not None:
        above = graph.below[governor][first][0]
        if above in _CLAUSAL and graph.has(first, "cop"):
            relation = above
    _hand_over(graph, first, noun, governor, relation)
    graph.remove(noun, second, "case")
    graph.add(noun, first, "case")
    graph.add(first, second, "mwe")


def _join_three_words(graph: Graph, first: int) -> None:
    """`front` in "in front of" hands its place to the noun below it."""
    middle, last = first + 1, first + 2
    noun = _governor_by(graph, last, ("case", "mark"))
    if noun is None or graph.below[first] or graph.below[last] or "case" not in graph.below[middle].get(first, ()):
        return
    below = next((r for r in graph.below[middle].get(noun, ()) if r in ("nmod", "acl", "advcl")), None)
    if below is None:
        return
    graph.remove(middle, noun, below)
    graph.isolate(first)
    graph.isolate(last)
    marker, relation = "case", "nmod"
    governor = graph.up(middle)
    if governor is not None:
        relation = graph.below[governor][middle][0]
        if relation == "nmod" and below != "nmod":
            relation, marker = below, "mark"
    _hand_over(graph, middle, noun, governor, relation)
    graph.add(noun, first, marker)
    graph.add(first, middle, "mwe")
    graph.add(first, last, "mwe")


def _governor_by(graph: Graph, node: int, relations: tuple[str, ...]) -> int | None:
    governor = graph.up(node)
    return governor if governor is not None and graph.below[governor][node][0] in relations else None


def _hand_over(graph: Graph, old: int, new: int, governor: int | None, relation: str) -> None:
    """Give `new` the place of `old` in the tree, by `relation`, and the other dependents of `old`."""
    if old in graph.roots:
        del graph.roots[old]
        graph.roots[new] = None
    elif governor is not None:
        graph.add(governor, new, relation)
    for dependent in sorted(graph.below[old], key=lambda node: graph.position[node]):
        for label in graph.below[old][dependent]:
            graph.add(new, dependent, label)
        graph.detach(old, dependent)
    graph.isolate(old)


_Rule = Callable[[Graph, int], None]
_RULES: tuple[tuple[str, _Rule], ...] = (
    (_SIMPLE, _join_simple),
    (_HEADED, _join_headed),
    (_THREE_WORDS, _join_three_words),
)
_ENTRIES: dict[tuple[str, ...], list[tuple[tuple[int, int], _Rule]]] = {}
_LENGTHS_BY_FIRST_WORD: dict[str, set[int]] = {}
for _list_rank, (_list, _rule) in enumerate(_RULES):
    for _entry_rank, _entry in enumerate(_list.split(", ")):
        _phrase = tuple(_entry.split())
        _ENTRIES.setdefault(_phrase, []).append(((_list_rank, _entry_rank), _rule))
        _LENGTHS_BY_FIRST_WORD.setdefault(_phrase[0], set()).add(len(_phrase))
