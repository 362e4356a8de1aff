"""The COCO caption toolkit's tokenizer (Stanford's PTBTokenizer, lower case, punctuation dropped), without Java.

Reference: pycocoevalcap's ptbtokenizer.py with stanford-corenlp-3.4.1.jar; its output is in tests/golden/ptb.json.
The toolkit tokenizes all captions as one text, so the next caption can decide whether `plan b.` keeps its dot. Here a
caption stands alone and reads as if a line `A man` followed: two captions of three begin with a word like that.

Where to look: ptb_characters.py (which characters are alike), ptb_rules.py (what a token is), longest_match.py (which
rule wins). This file applies them.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from capeval_core.text.longest_match import NO_RULE, Scanner
from capeval_core.text.ptb_characters import ALPHABET, LINE_ENDS, SYMBOLS
from capeval_core.text.ptb_rules import RULES, spell_out

# What the toolkit drops. Its list has brackets too, but as -LRB- and -RRB-: in lower case they survive.
_DROPPED = {"", "''", "'", "``", "`", ".", "?", "!", ",", ":", "-", "--", "...", ";"}
_NEXT_CAPTION = "\nA man"
_SPACES = str.maketrans(dict.fromkeys(LINE_ENDS, " "))

_WORD = "[A-Za-z]+(?:-[A-Za-z]+)*"
_ORDINARY = re.compile(rf"(?:{_WORD}(?: ?,)? +)*({_WORD} ?\.?) *")
_SPLIT_WORDS = {"cannot", "gonna", "gotta", "wanna", "gimme", "lemme"}


def tokenize(caption: str) -> str:
    """The tokens joined by single spaces; '' for a blank caption. A token may hold a no-break space: `1 1/2`."""
    ordinary = _ORDINARY.fullmatch(caption)
    if ordinary:
        # A short cut for nine captions of ten: plain words, of which only the last may carry a dot (tv. or st.).
        words = caption[: ordinary.start(1)].lower().replace(",", "").split()
        if _SPLIT_WORDS.isdisjoint(words):
            return " ".join([*words, *_last_word(ordinary[1])])
    return " ".join(scan(caption)).rstrip()  # the toolkit strips its lines, so a final no-break space goes too


@lru_cache(maxsize=10_000)
def _last_word(text: str) -> tuple[str, ...]:
    return tuple(scan(text))


def scan(caption: str) -> list[str]:
    """The tokens of any caption, by the rules alone."""
    scanner, bodies = _scanner()
    text = caption.translate(_SPACES) + _NEXT_CAPTION
    symbols = text.translate(SYMBOLS)
    tokens = []
    hopeless: set[tuple[int, int]] = set()
    start = 0
    while start < len(caption):
        rule, end = scanner.longest(symbols, start, hopeless)
        if rule == NO_RULE:  # a character the original cannot tokenize: deleted, and the word around it is split
            start += 1
            continue
        if rule in bodies and (found := bodies[rule].fullmatch(symbols, start, end)):
            end = found.end(1)
        token = RULES[rule].form(text[start:end]).lower()
        if token not in _DROPPED:
            tokens.append(token)
        start = end
    return tokens


@cache
def _scanner() -> tuple[Scanner, dict[int, re.Pattern[str]]]:
    """The automaton of all rules and, for those that look ahead, a pattern whose group 1 is what they consume."""
    rules = [(spell_out(rule.body), spell_out(rule.ahead)) for rule in RULES]
    bodies = {index: re.compile(f"({body})({ahead})") for index, (body, ahead) in enumerate(rules) if ahead}
    return Scanner([f"({body})({ahead})" for body, ahead in rules], ALPHABET), bodies
