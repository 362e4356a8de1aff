"""A longest-match scanner: many patterns compete at a place in a text; the longest match wins, then the first listed.

This is the model of `lex`. Python's `re` cannot express it (of two branches it takes the first that matches, not the
longer), so the patterns become one automaton. It is built lazily: a state exists once some text has reached it.

Patterns are a subset of `re`: characters, \\ escapes, [sets], (groups), x|y, x?, x*, x+, x{2}, x{2,4} and (?i:...).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

NO_RULE = -1
_WORTH_REMEMBERING = 64  # characters read in vain, past the end of a match
_ESCAPES = {"t": "\t", "n": "\n"}

# A parsed pattern: a set of symbols, or one of the tuples below.
_Node: TypeAlias = "frozenset[str] | _Sequence | _Choice | _Repeat"


class _Sequence(NamedTuple):
    parts: list[_Node]


class _Choice(NamedTuple):
    branches: list[_Node]


class _Repeat(NamedTuple):
    node: _Node
    low: int
    high: int | None


class _Parser:
    """Recursive descent over one pattern, whose unread rest is kept as a stack."""

    def __init__(self, pattern: str, alphabet: frozenset[str]) -> None:
        self.rest = list(reversed(pattern))
        self.alphabet = alphabet
        self.any_case = False

    def parse(self) -> _Node:
        node = self._choice()
        if self.rest:
            raise ValueError(f"Expected the end of the pattern but got {''.join(reversed(self.rest))!r}.")
        return node

    def _next_is(self, chars: str) -> bool:
        return bool(self.rest) and self.rest[-1] in chars

    def _choice(self) -> _Node:
        branches = [self._sequence()]
        while self._next_is("|"):
            self.rest.pop()
            branches.append(self._sequence())
        return branches[0] if len(branches) == 1 else _Choice(branches)

    def _sequence(self) -> _Node:
        parts: list[_Node] = []
        while self.rest and not self._next_is("|)"):
            parts.append(self._repeated(self._atom()))
        return parts[0] if len(parts) == 1 else _Sequence(parts)

    def _repeated(self, node: _Node) -> _Node:
        if not self._next_is("?*+{"):
            return node
        sign = self.rest.pop()
        if sign != "{":
            return _Repeat(node, 1 if sign == "+" else 0, 1 if sign == "?" else None)
        bounds = ""
        while not self._next_is("}"):
            bounds += self.rest.pop()
        self.rest.pop()
        low, _, high = bounds.partition(",")
        return _Repeat(node, int(low), int(high or low))

    def _atom(self) -> _Node:
        if self._next_is("["):
            self.rest.pop()
            return self._set()
        if not self._next_is("("):
            return self._symbols([self._character()])
        self.rest.pop()
        outside = self.any_case
        if self.rest[:-4:-1] == ["?", "i", ":"]:
            del self.rest[-3:]
            self.any_case = True
        node = self._choice()
        if not self._next_is(")"):
            raise ValueError("Expected ) but got the end of the pattern.")
        self.rest.pop()
        self.any_case = outside
        return node

    def _character(self) -> str:
        char = self.rest.pop()
        if char != "\\":
            return char
        char = self.rest.pop()
        if char == "x":
            return chr(int(self.rest.pop() + self.rest.pop(), 16))
        return _ESCAPES.get(char, char)

    def _set(self) -> _Node:
        negated = self._next_is("^")
        if negated:
            self.rest.pop()
        members: list[str] = []
        while not self._next_is("]"):
            if members and self._next_is("-") and self.rest[-2] != "]":
                self.rest.pop()
                members.extend(map(chr, range(ord(members[-1]), ord(self._character()) + 1)))
            else:
                members.append(self._character())
        self.rest.pop()
        return self.alphabet.difference(members) if negated else self._symbols(members)

    def _symbols(self, symbols: Iterable[str]) -> frozenset[str]:
        if self.any_case:
            symbols = [form for symbol in symbols for form in (symbol.lower(), symbol.upper())]
        unknown = set(symbols) - self.alphabet
        if unknown:
            raise ValueError(f"Expected symbols of the alphabet but got {sorted(unknown)}.")
        return frozenset(symbols)


class _State(dict[str, "_State"]):
    """Symbol -> next state, filled in on first use. `rule` is the one matched here; without places, a dead end."""

    __slots__ = ("places", "rule", "scanner")

    def __init__(self, scanner: Scanner, places: frozenset[int], rule: int) -> None:
        self.scanner, self.places, self.rule = scanner, places, rule

    def __missing__(self, symbol: str) -> _State:
        state = self[symbol] = self.scanner.step(self.places, symbol)
        return state


class Scanner:
    """Rules are known by their index in `patterns`; a text may only hold symbols of the alphabet."""

    def __init__(self, patterns: Sequence[str], alphabet: frozenset[str]) -> None:
        # A place in a pattern waits for one of its symbols and then moves on to another place. Places without symbols
        # are forks, which stand for several others, or ends of a rule.
        self._symbols: list[frozenset[str]] = []
        self._next: list[int] = []
        self._forks: dict[int, tuple[int, ...]] = {}
        self._ends: dict[int, int] = {}
        self._states: dict[tuple[frozenset[int], int], _State] = {}
        starts = []
        for rule, pattern in enumerate(patterns):
            end = self._place()
            self._ends[end] = rule
            starts.append(self._lay_out(_Parser(pattern, alphabet).parse(), end))
        self._start = self._state(starts)

    def _place(self, symbols: frozenset[str] = frozenset(), after: int = -1) -> int:
        self._symbols.append(symbols)
        self._next.append(after)
        return len(self._next) - 1

    def _fork(self, *targets: int) -> int:
        place = self._place()
        self._forks[place] = targets
        return place

    def _lay_out(self, node: _Node, after: int) -> int:
        """Add the places of `node`, going on to `after`; the place where it begins."""
        if isinstance(node, frozenset):
            return self._place(node, after)
        if isinstance(node, _Sequence):
            for part in reversed(node.parts):
                after = self._lay_out(part, after)
            return after
        if isinstance(node, _Choice):
            return self._fork(*[self._lay_out(branch, after) for branch in node.branches])
        begin = after
        if node.high is None:
            begin = self._fork()
            self._forks[begin] = (self._lay_out(node.node, begin), after)
        else:
            for _ in range(node.high - node.low):
                begin = self._fork(self._lay_out(node.node, begin), after)
        for _ in range(node.low):
            begin = self._lay_out(node.node, begin)
        return begin

    def _state(self, places: Iterable[int]) -> _State:
        todo = list(places)
        seen = set(todo)
        while todo:
            for target in self._forks.get(todo.pop(), ()):
                if target not in seen:
                    seen.add(target)
                    todo.append(target)
        rule = min((self._ends[place] for place in seen & self._ends.keys()), default=NO_RULE)
        key = frozenset(place for place in seen if self._symbols[place]), rule
        return self._states.setdefault(key, _State(self, *key))

    def step(self, places: frozenset[int], symbol: str) -> _State:
        return self._state(self._next[place] for place in places if symbol in self._symbols[place])

    def longest(self, text: str, start: int, hopeless: set[tuple[int, int]]) -> tuple[int, int]:
        """(rule, end of its match), or (NO_RULE, start).

        `hopeless` is one set for all calls on one text: where, and in which state, nothing more can match. Without it
        a rule that reads far ahead in vain, from each word anew, takes quadratic time (Reps 1998, "Maximal-munch
        tokenization in linear time").
        """
        state, rule, end, at = self._start, NO_RULE, start, start
        for at in range(start, len(text)):
            state = state[text[at]]
            if state.rule >= 0:
                rule, end = state.rule, at + 1
            elif hopeless and (at, id(state)) in hopeless:
                break
            if not state.places:
                break
        if at - end > _WORTH_REMEMBERING:
            state = self._start
            for place in range(start, at):
                state = state[text[place]]
                if place >= end:
                    hopeless.add((place, id(state)))
        return rule, end
