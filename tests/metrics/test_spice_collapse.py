"""SPICE's first half without a parser: basic trees become the graphs that CoreNLP gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capeval_core.metrics.spice.collapse import collapse
from capeval_core.metrics.spice.graph import Graph
from capeval_core.text.parse import Parse
from tests.cases import golden, needs_shared, rows

CASES = golden("spice_rules")["collapse"]
WORDS = (
    "dog",
    "in",
    "front",
    "of",
    "next",
    "to",
    "and",
    "or",
    "but",
    "not",
    "by",
    "a",
    "lots",
    "two",
    "the",
    "his",
    "5s",
)
TAGS = ("NN", "NNS", "NNP", "VB", "VBG", "VBN", "VBP", "JJ", "IN", "PRP", "PRP$", "CC", "CD", "DT")
CORE = (
    "nsubj",
    "nsubjpass",
    "dobj",
    "nmod",
    "acl",
    "advcl",
    "case",
    "mark",
    "cc",
    "conj",
    "mwe",
    "auxpass",
    "cop",
    "dep",
)
RELATIONS = (*CORE, "amod", "nummod", "det", "compound", "nmod:poss", "acl:relcl", "compound:prt", "conj:and", "odd")


def parse_of(tokens: Sequence[str]) -> Parse:
    """From `word tag lemma head relation` lines."""
    words, tags, lemmas, heads, relations = zip(*(token.split() for token in tokens), strict=True)
    return Parse(words, tags, lemmas, tuple(map(int, heads)), relations)


def parse_from(row: Mapping[str, Any]) -> Parse:
    lemmas = row.get("lemmas", row["words"])
    return Parse(*(tuple(part) for part in (row["words"], row["tags"], lemmas, row["heads"], row["relations"])))


def edges(graph: Graph, numbered: bool = True) -> set[tuple[int | str, int | str, str]]:
    def name(node: int) -> int | str:
        position, copy = graph.position[node], graph.copy_number[node]
        return f"{position}c{copy if numbered else ''}" if copy else position

    roots: set[tuple[int | str, int | str, str]] = {(0, name(root), "root") for root in graph.roots}
    return roots | {(name(governor), name(dependent), label) for governor, dependent, label in graph.edges()}


def random_parses(most: int = 14) -> st.SearchStrategy[Parse]:
    """Trees, forests, cycles and heads out of range."""

    def of_size(size: int) -> st.SearchStrategy[Parse]:
        def column(values: Sequence[Any] | st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
            one = values if isinstance(values, st.SearchStrategy) else st.sampled_from(values)
            return st.lists(one, min_size=size, max_size=size).map(tuple)

        heads = column(st.one_of(st.just(0), st.integers(0, size), st.integers(-1, size + 2)))
        return st.builds(Parse, column(WORDS), column(TAGS), column(WORDS), heads, column(RELATIONS))

    return st.integers(0, most).flatmap(of_size)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_golden(case: Any) -> None:
    found = {
        f"{label} {governor} {dependent}" for governor, dependent, label in edges(collapse(parse_of(case["tokens"])))
    }
    assert found == set(case["edges"])


def test_position_decides_the_order_of_dependents_in_later_sentences_too() -> None:
    # 29 is added per sentence: in the second one position 3 (hash 32) comes before 2 (hash 31), which then wins.
    parse = parse_of(("ride VB ride 0 root", "out IN out 4 case", "in IN in 4 case", "street NN street 1 nmod"))
    assert (1, 4, "nmod:in") in edges(collapse(parse))
    assert (1, 4, "nmod:out") in edges(collapse(parse, sentence=1))


def test_of_several_governors_the_first_below_a_root_is_the_parent() -> None:
    graph = Graph(
        parse_of(("a NN a 0 root", "b NN b 1 dep", "c NN c 1 dep", "d NN d 3 dep", "e NN e 9 dep", "f NN f 5 dep"))
    )
    assert (graph.parent(4), graph.up(4), graph.parent(1), graph.up(1)) == (3, 3, None, None)
    graph.add(2, 4, "dep")
    assert graph.parent(4) == graph.up(4) == 2
    graph.add(4, 2, "dep")
    graph.remove(1, 2)  # now 2 hangs below 4 only: no way up from it but through 4 itself
    assert graph.parent(4) == 3
    assert (graph.parent(6), graph.up(6)) == (None, 5)  # no root above 5


@given(random_parses())
def test_any_tree_keeps_its_words_and_raises_nothing(parse: Parse) -> None:
    graph = collapse(parse)
    size = len(parse.words)
    attached = {n for n, head in enumerate(parse.heads, 1) if head == 0 or (0 < head <= size and head != n)}
    assert attached <= set(graph.nodes)
    assert all(word == graph.position[node] for node, word in enumerate(graph.position[: size + 1]))
    for node in graph.nodes:
        assert sorted(graph.above[node]) == sorted(g for g in graph.nodes if node in graph.below[g])
        assert all(graph.below[node].values()), "an edge without label"
    roots = sum(head == 0 for head in parse.heads)
    assert len(graph.roots) == roots
    if not roots:
        assert edges(graph) == edges(Graph(parse))


@given(random_parses())
def test_orders_hold_every_node_once(parse: Parse) -> None:
    graph = collapse(parse)
    assert sorted(graph.visit(graph.nodes)) == sorted(graph.pattern_order()) == sorted(graph.nodes)


@given(random_parses())
def test_pattern_order_is_topological_unless_there_is_a_cycle(parse: Parse) -> None:
    graph = collapse(parse)
    rank = {node: n for n, node in enumerate(graph.pattern_order())}
    forward = all(rank[governor] < rank[dependent] for governor, dependent, _ in graph.edges())
    assert forward or graph.pattern_order() == graph.visit(graph.nodes)


LONG = {
    "copies per preposition": (3, ("cc", "conj")),
    "copies per phrase": (2, ("case", "cc", "conj", "case")),
    "markers": (3, ("mwe",)),
}


@pytest.mark.parametrize("name", LONG)
def test_a_long_odd_sentence_stays_small(name: str) -> None:
    """root -> nmod -> case, and 2,000 words below the second or the third: rules that combine them must not explode."""
    size = 2000
    hub, labels = LONG[name]
    heads, relations = [0, 1, 2], ["root", "nmod", "case"]
    for n in range(3, size):
        relations.append(labels[n % len(labels)])
        # The second `case` of "copies per phrase" belongs to the conjunct before it.
        heads.append(n if relations[-2:] == ["conj", "case"] else hub)
    graph = collapse(Parse(("in",) * size, ("NN",) * size, ("in",) * size, tuple(heads), tuple(relations)))
    assert len(graph.nodes) <= size + 256
    assert sum(1 for _ in graph.edges()) < 5 * size


def test_deep_trees_need_no_deep_recursion() -> None:
    size = 2000
    labels = ("nmod", "case", "cc", "conj") * (size // 4)
    graph = collapse(Parse(("in",) * size, ("NN",) * size, ("in",) * size, tuple(range(size)), labels))
    assert len(graph.pattern_order()) == len(graph.nodes) >= size


@needs_shared
def test_parity_with_the_originals_captions() -> None:
    sentences = [sentence for row in rows("spice/parses_a.jsonl.gz") for sentence in row["sentences"]]
    wrong = [s["words"] for s in sentences if edges(collapse(parse_from(s)), False) != set(map(tuple, s["edges"]))]
    assert (len(sentences), wrong) == (17307, [])


@needs_shared
def test_parity_with_the_originals_on_disturbed_trees() -> None:
    trees = list(rows("spice/collapse_vectors.jsonl.gz"))
    wrong = [tree for tree in trees if edges(collapse(parse_from(tree))) != set(map(tuple, tree["edges"]))]
    assert (len(trees), wrong) == (6000, [])
