"""Which characters the COCO toolkit's tokenizer treats alike: each is mapped to one symbol of a small alphabet.

The rules (ptb_rules.py) are written over these symbols. An ASCII character is its own symbol; of the others, each group
that behaves alike is represented by one of its members. The groups were read off the original, character by character
(tests/text/test_ptb.py compares the whole Basic Multilingual Plane); they follow the Unicode of about 2012.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right

LETTER = "é"  # any letter that is not ASCII
MARK = "˘"  # combining marks and modifier symbols: letters in plain words, but not in words joined by - or _
DIGIT = "٣"
SYMBOL = "•"  # a token by itself: arrows, maths, currency, full-width punctuation ...
UNKNOWN = "\x7f"  # what the original deletes with a warning: emoji, private use, most controls
SPACE = "\u3000"  # typographic spaces; the plain space, TAB and U+00A0 are symbols of their own
SOFT_HYPHEN = "\xad"
HYPHEN = "‐"
DASH = "–"
APOSTROPHE = "’"
BACKWARD_APOSTROPHE = "‘"
QUOTE = "“"  # the other curly and angle quotes
SUPERSCRIPT = "²"
SUBSCRIPT = "₂"
SMALL_SIGN = "⁺"  # superscript and subscript plus and minus
CURRENCY = "€"
POINT = "٫"  # Arabic decimal and thousands separators

_RANGES = {
    MARK: """02c2-02c5 02d2-02df 02e5-02eb 02ed 02ef-036f 0375 0378-0379 0384-0385 03f6 0483-0487 055a-055f 0591-05bd
        05bf 05c1-05c2 05c4-05c5 05c7 0615-061a 064b-065e 0670 06d6-06e4 06e7-06ed 06fd-06fe 070f 0711 0730-074c
        07a6-07b0 07eb-07f3 0900-0903 093c 093e-094e 0951-0955 0962-0963 0981-0983 09bc 09be-09c4 09c7-09c8
        09cb-09cd 09d7 09e2-09e3 0a01-0a03 0a3c 0a3e-0a4f 0a81-0a83 0abc 0abe-0acf 0b82 0bbe-0bc2 0bc6-0bc8
        0bca-0bcd 0c01-0c03 0c3e-0c56 0d3e-0d44 0d46-0d48 0e31 0e34-0e3a 0e47-0e4e 0eb1 0eb4-0ebc 0ec8-0ecd""",
    SYMBOL: """00a1 00a5-00a9 00ac 00ae-00b1 00b4 00b6-00b8 00bf 00d7 00f7 037e 0387 0589 05be 05c0 05c3 05c6 05f3-05f4
        0600-0603 0606-060c 0614 061b 061e-061f 066a 066d 06d4 0700-070d 07f6-07f8 0964-0965 0e3f 0e4f 1fbd
        2016-2017 2020-2023 2030-2038 203b 203e-2042 207c-207e 208c-208e 20a4 2100-2101 2103-2106 2108-2109 2114
        2116-2118 211e-2123 2125 2127 2129 212e 213a-213b 2140-2144 214a-214d 214f 2155-215e 2190-2bff 3002 3012
        30fb ff01-ff0f ff1a-ff20 ff3b-ff40 ff5b-ff65 ffe0-ffe1 ffe5-ffe6 00a2-00a3 00bc-00be 2153-2154""",
    # Letters and digits younger than the original's tables.
    UNKNOWN: """037f 0528-052f 0560 0588 05ef 0860-0887 0889-088e 08a1 08ad-08c9 0978 0980 09fc 0af9 0c34 0c5a 0c5d 0c80
        0cdd 0d04 0d54-0d56 0d5f 0de6-0def 0e86 0e89 0e8c 0e8e-0e93 0e98 0ea0 0ea8-0ea9 0eac 13f5 13f8-13fd
        16f1-16f8 170d 171f 1878 191d-191e 19b0-19c0 19c8-19c9 1b4c 1c80-1cbf 1cf2-1cf3 1cfa 2c2f 2c5f 312e-312f
        31bb-31bf 4db6-4dbf 9fcd-9fff a698-a69d a78f a794-a79f a7ab-a7ca a7d0-a7d9 a7f2-a7f7 a8fd-a8fe a9e0-a9fe
        aa7e-aa7f ab30-abbf""",
    SPACE: "2000-200a 3000",
    LETTER: "1885-1886",
    APOSTROPHE: "0092 2019",
    BACKWARD_APOSTROPHE: "0091 2018 201b",
    QUOTE: "0093-0094 00ab 00bb 201a 201c-201f 2039-203a",
    HYPHEN: "058a 2010-2011",
    DASH: "0096-0097 2013-2015",
    SUPERSCRIPT: "00b2-00b3 00b9 2070 2074-2079",
    SUBSCRIPT: "2080-2089",
    SMALL_SIGN: "207a-207b 208a-208b",
    CURRENCY: "0080 00a4 20a0 20ac",
    POINT: "066b-066c",
    "\x85": "0085",
    "\xa0": "00a0",
    "\xad": "00ad",
    "…": "2026",
    "⁄": "2044",
    "、": "3001",
}
LINE_ENDS = "\n\r\v\f\u2028\u2029"

ALPHABET = frozenset(map(chr, range(0x20, 0x80))) | {"\t", "\n", DIGIT} | frozenset(_RANGES)


def _blocks() -> list[tuple[int, int, str]]:
    found = []
    for symbol, ranges in _RANGES.items():
        for part in ranges.split():
            first, _, last = part.partition("-")
            found.append((int(first, 16), int(last or first, 16), symbol))
    return sorted(found)


_BLOCKS = _blocks()


def _symbol(code: int) -> str:
    char = chr(code)
    if code < 0x80:
        return char if char.isprintable() or char in "\t\n" else UNKNOWN
    if code > 0xFFFF:  # the original reads UTF-16 and takes the two halves of such a character for unknown ones
        return UNKNOWN
    first, last, symbol = _BLOCKS[bisect_right(_BLOCKS, (code, 0xFFFF, "")) - 1]
    if first <= code <= last:
        return symbol
    category = unicodedata.category(char)
    return LETTER if category[0] == "L" else DIGIT if category == "Nd" else UNKNOWN


class _Symbols(dict[int, str]):
    """A table for str.translate, filled in as characters turn up."""

    def __missing__(self, code: int) -> str:
        symbol = self[code] = _symbol(code)
        return symbol


SYMBOLS = _Symbols()
