"""The dependency graph of one sentence that SPICE's rules read and edit.

Nodes are numbers: 1..n are the sentence's words, larger ones are copies of words (same word, tag, lemma and position).
Nothing here can fail on an odd tree: edges to nowhere and to the word itself are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from capeval_core.text.parse import Parse

NOUNS = frozenset(("NN", "NNS", "NNP", "NNPS"))


class Graph:
    """A labelled multigraph under edit. Parallel edges, cycles and self-loops are allowed.

    `below[g][d]` are the labels of the edges g -> d; `above[d]` the distinct governors of d; both oldest first.
    The lists are indexed by node; entry 0 is empty.
    """

    __slots__ = ("above", "below", "copies", "copy_number", "nodes", "parse", "position", "roots", "shift")

    def __init__(self, parse: Parse, sentence: int = 0) -> None:
        size = len(parse.words) + 1
        self.parse = parse
        # The original orders nodes by a hash of (sentence, position); see `visit`.
        self.shift = 29 * sentence
        self.position = list(range(size))
        self.copy_number = [0] * size
        self.copies: dict[int, int] = {}  # word -> how many copies it has
        self.below: list[dict[int, list[str]]] = [{} for _ in range(size)]
        self.above: list[list[int]] = [[] for _ in range(size)]
        self.roots: dict[int, None] = {}  # a set that keeps its order
        for node, (head, relation) in enumerate(zip(parse.heads, parse.relations, strict=True), 1):
            if head == 0:
                self.roots[node] = None
            elif 0 < head < size and head != node:
                self.below[head][node] = [relation]
                self.above[node].append(head)
        # A word without head and dependents (the parser's punctuation) is not in the graph.
        self.nodes = [n for n in range(1, size) if self.above[n] or self.below[n] or n in self.roots]

    def word(self, node: int) -> str:
        return self.parse.words[self.position[node] - 1]

    def tag(self, node: int) -> str:
        return self.parse.tags[self.position[node] - 1]

    def add(self, governor: int, dependent: int, label: str) -> None:
        labels = self.below[governor].get(dependent)
        if labels is None:
            self.below[governor][dependent] = [label]
            self.above[dependent].append(governor)
        else:
            labels.append(label)

    def remove(self, governor: int, dependent: int, label: str | None = None) -> bool:
        """Remove the oldest edge (with this label); False when there is none."""
        labels = self.below[governor].get(dependent)
        if labels is None or (label is not None and label not in labels):
            return False
        labels.pop(0 if label is None else labels.index(label))
        if not labels:
            self.detach(governor, dependent)
        return True

    def isolate(self, node: int) -> None:
        """Remove all edges into `node`."""
        for governor in tuple(self.above[node]):
            self.detach(governor, node)

    def detach(self, governor: int, dependent: int) -> None:
        del self.below[governor][dependent]
        self.above[dependent].remove(governor)

    def copy_of(self, word: int) -> int:
        node = len(self.position)
        self.copies[word] = self.copies.get(word, 0) + 1
        self.position.append(word)
        self.copy_number.append(self.copies[word])
        self.below.append({})
        self.above.append([])
        self.nodes.append(node)
        return node

    def visit(self, nodes: Collection[int]) -> list[int]:
        """`nodes` (oldest first) in the original's order, that of a hash table with 16, 32, 64, ... buckets."""
        if len(nodes) < 2:
            return list(nodes)
        buckets = 16
        while 4 * len(nodes) > 3 * buckets:
            buckets *= 2
        position, shift = self.position, self.shift
        if not shift and len(position) <= buckets and not self.copies:
            return sorted(nodes)  # the same order, sooner: most captions end here
        return sorted(nodes, key=lambda node: (shift + position[node]) % buckets)

    def pattern_order(self) -> list[int]:
        """The nodes in the order in which the original's patterns meet them: topological, or that of `visit` when
        there is a cycle (a self-loop is one)."""
        order, below = self.visit(self.nodes), self.below
        finished: dict[int, None] = {}  # oldest first; `path`: the nodes under way, with their dependents to come
        for start in order:
            path = {} if start in finished else {start: iter(self.visit(below[start]))}
            while path:
                node = next(reversed(path))
                for dependent in path[node]:
                    if dependent in path:
                        return order
                    if dependent in finished:
                        continue
                    if below[dependent]:
                        path[dependent] = iter(self.visit(below[dependent]))
                        break
                    finished[dependent] = None
                else:
                    finished[node] = None
                    del path[node]
        return list(reversed(finished))

    def dependents(self, governor: int, label: str) -> list[int]:
        """The dependents by this very label, in visiting order."""
        below = self.below[governor]
        found = [d for d, labels in below.items() if label in labels]
        return found if len(found) < 2 else [d for d in self.visit(below) if label in below[d]]

    def has(self, governor: int, label: str) -> bool:
        return any(label in labels for labels in self.below[governor].values())

    def parent(self, node: int) -> int | None:
        """The first governor by position from which a root can be reached upwards; none for a root."""
        if node in self.roots:
            return None
        for governor in sorted(self.above[node], key=lambda g: (self.position[g], self.copy_number[g])):
            if self._reaches_root(governor, avoiding=node):
                return governor
        return None

    def up(self, node: int) -> int | None:
        """`parent`, but a single governor counts even when no root is above it."""
        if node not in self.roots and len(self.above[node]) == 1:
            return self.above[node][0]
        return self.parent(node)

    def _reaches_root(self, start: int, avoiding: int) -> bool:
        seen, waiting = {avoiding, start}, [start]
        while waiting:
            node = waiting.pop()
            if node in self.roots:
                return True
            for governor in self.above[node]:
                if governor not in seen:
                    seen.add(governor)
                    waiting.append(governor)
        return False

    def edges(self) -> Iterator[tuple[int, int, str]]:
        """All edges but those to the roots."""
        for governor, dependents in enumerate(self.below):
            for dependent, labels in dependents.items():
                for label in labels:
                    yield governor, dependent, label
