"""From a caption's text to METEOR's tokens: the normaliser of METEOR 1.5 (`-norm`, English).

It runs after the COCO tokenizer and can undo part of its work: `man 's` becomes `man ' s`, `close-up` two words. Steps
and order are the program's own; each pattern consumes its neighbours, so `x-y-z` becomes `x y-z`.
"""

from __future__ import annotations

import re
import zipfile
from itertools import pairwise

from capeval_core.resources.files import locate
from capeval_core.resources.loading import load_once

_LETTER = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e\u0400-\u0527\ua640-\ua66e\ua67e-\ua697\u1d00-\u1d7f"
_UNCHANGED = re.compile("[a-z0-9 ]*")

_SYMBOL = re.compile(rf"([^{_LETTER}0-9 \t\n\v\f\r.'`,\-\u2018\u2019])")
_RUN_OF_DOTS = re.compile(r"(\.{2,})")
_PASSES = tuple(  # commas, quotes, hyphens, apostrophes
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"([^0-9]),([^0-9])", r"\1 , \2"),
        (r"([0-9]),([^0-9])", r"\1 , \2"),
        (r"([^0-9]),([0-9])", r"\1 , \2"),
        ("[`\u2018\u2019]", "'"),
        ("\u201c|\u201d|''", ' " '),
        ("\u2013", "-"),
        ("--", "-"),
        (rf"([{_LETTER}0-9.])-([{_LETTER}0-9])", r"\1 \2"),
        (rf"([^{_LETTER}])'([^{_LETTER}])", r"\1 ' \2"),
        (rf"([^{_LETTER}0-9])'([{_LETTER}])", r"\1 ' \2"),
        (rf"([{_LETTER}])'([^{_LETTER}])", r"\1 ' \2"),
        (rf"([{_LETTER}])'([{_LETTER}])", r"\1 '\2"),
        (r"([0-9])'s", r"\1 's"),
    )
)
_LETTERS = re.compile(f"[{_LETTER}]")
_LOWER_CASE = frozenset("abcdefghijklmnopqrstuvwxyz")
_DIGITS = frozenset("0123456789")
_BLANKS = re.compile("[ \t\n\f\r]+")
_ALL_BLANKS = re.compile("[ \u2000-\u200a\u202f\u205f\u3000\u00a0]+")
_EDGES = "".join(map(chr, range(0x21)))  # what Java's trim() removes


def tokenize(text: str) -> list[str]:
    """METEOR's lower-case tokens of a caption that the COCO tokenizer has already been over."""
    if _UNCHANGED.fullmatch(text):
        return text.split()
    text = _SYMBOL.sub(r" \1 ", f" {text.strip(_EDGES)} ")
    # A run of dots stands apart, so the pieces between the runs never see one another.
    pieces = [piece if _is_run(piece) else _separate(f" {piece} ") for piece in _RUN_OF_DOTS.split(text)]
    tokens = [token for piece in pieces for token in _BLANKS.split(piece) if token]
    joined = " ".join(_treat_final_dot(token, next_) for token, next_ in pairwise([*tokens, ""]))
    return [token for token in _ALL_BLANKS.sub(" ", joined).strip(_EDGES).lower().split(" ") if token]


def _is_run(piece: str) -> bool:
    return _RUN_OF_DOTS.fullmatch(piece) is not None


def _separate(text: str) -> str:
    for pattern, replacement in _PASSES:
        text = pattern.sub(replacement, text)
    return text


def _treat_final_dot(token: str, following: str) -> str:
    """Join an abbreviation (`u.s.` to `us`), keep a known one (`vs.`), split the dot off anything else."""
    base = token[:-1]
    if not base or not token.endswith(".") or _is_run(token):
        return token
    if "." in base and _LETTERS.search(base):
        return token.replace(".", "")
    always, before_digits = _prefixes()
    if base in always or following[:1] in _LOWER_CASE or (base in before_digits and following[:1] in _DIGITS):
        return token
    return f"{base} ."


@load_once()
def _prefixes() -> tuple[frozenset[str], frozenset[str]]:
    """Words whose final dot ends no sentence: always, and before a number."""
    with zipfile.ZipFile(locate("meteor-jar")) as jar:
        lines = jar.read("nonbreaking/english.prefixes").decode("utf-8").splitlines()
    fields = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    before_digits = {line[0] for line in fields if line[1:] == ["#NUMERIC_ONLY#"]}
    return frozenset(line[0] for line in fields) - before_digits, frozenset(before_digits)
