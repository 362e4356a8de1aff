"""The tokenizer against the COCO toolkit's own (the Java jar), on paper and live, and against its own laws."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from capeval_core.text.ptb import scan, tokenize
from tests.cases import SHARED, golden, needs_shared, rows

CASES: list[dict[str, str]] = golden("ptb")["cases"]
LINE_ENDS = "\n\r\v\f\u2028\u2029"
PUNCTUATION = {"''", "'", "``", "`", ".", "?", "!", ",", ":", "-", "--", "...", ";"}


# Where we differ knowingly: Java's final sigma depends on its own idea of a word, it takes İ for an i in 'tis, and an
# address that ends in a next-line control keeps it when punctuation follows.
EXCEPTIONS = {"Σ", "İ", "\x85"}


def find_jar() -> Path | None:
    spec = find_spec("pycocoevalcap")
    places = (spec and spec.submodule_search_locations) or []
    found = (Path(place) / "tokenizer" / "stanford-corenlp-3.4.1.jar" for place in places)
    return next((path for path in found if path.is_file()), None)


JAR = find_jar()
needs_java = pytest.mark.skipif(
    JAR is None or shutil.which("java") is None, reason="no java, or no pycocoevalcap with its stanford-corenlp jar"
)


def jar_tokens(texts: list[str], folder: Path) -> list[str]:
    """The toolkit's tokens of each text, every one followed by a line `A man` so that none sees the next text."""
    lines = [line for text in texts for line in (text.translate(dict.fromkeys(map(ord, LINE_ENDS), " ")), "A man")]
    (folder / "captions.txt").write_bytes("\n".join([*lines, ""]).encode())
    command = ["java", "-XX:+UseSerialGC", "-cp", str(JAR), "edu.stanford.nlp.process.PTBTokenizer"]
    done = subprocess.run(
        [*command, "-preserveLines", "-lowerCase", "captions.txt"], cwd=folder, capture_output=True, check=True
    )
    found = done.stdout.decode().split("\n")[: len(lines)]
    assert set(found[1::2]) <= {"a man"}  # else the lines of input and output do not belong together
    return [" ".join(word for word in line.rstrip().split(" ") if word not in PUNCTUATION) for line in found[::2]]


def differences(texts: list[str], expected: list[str]) -> list[tuple[str, str, str]]:
    return [(text, want, got) for text, want in zip(texts, expected, strict=True) if (got := tokenize(text)) != want]


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case["text"]))
def test_golden(case: dict[str, str]) -> None:
    assert tokenize(case["text"]) == case["tokens"]
    assert " ".join(scan(case["text"])).rstrip() == case["tokens"]  # without the short cut


@needs_java
def test_golden_is_what_the_jar_says(tmp_path: Path) -> None:
    assert jar_tokens([case["text"] for case in CASES], tmp_path) == [case["tokens"] for case in CASES]


@needs_shared
def test_karpathy() -> None:
    expected: dict[str, str] = {}
    for row in rows("karpathy/karpathy_a.jsonl.gz"):
        expected[row["caption"]] = row["tokens"]
        expected.update(zip(row["references"], row["reference_tokens"], strict=True))
    assert len(expected) > 15_000
    assert differences(list(expected), list(expected.values())) == []


def flickr8k() -> list[str]:
    lines = (SHARED / "flickr8k/Flickr8k.token.txt").read_text(encoding="utf-8").split("\n")
    return [line.split("\t", 1)[1] for line in lines if line]


def flickr30k() -> list[str]:
    parts = ("flickr30k/flickr30k_train.jsonl.gz", "flickr30k/flickr30k_val.jsonl.gz")
    return [caption for part in parts for row in rows(part) for caption in row["captions"]]


@needs_java
@needs_shared
@pytest.mark.parametrize("captions", [flickr8k, flickr30k])
def test_flickr_against_the_jar(captions: Callable[[], list[str]], tmp_path: Path) -> None:
    texts = captions()
    assert len(texts) > 40_000
    assert differences(texts, jar_tokens(texts, tmp_path)) == []


@needs_java
@pytest.mark.parametrize("context", ["a%b", "x %% 5%6 x-%y", "plan b.%The dog's%", "inc.%x no.%5 #%a"])
def test_every_character_against_the_jar(context: str, tmp_path: Path) -> None:
    plane = [chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000 and chr(code) not in LINE_ENDS]
    texts = [context.replace("%", char) for char in plane]
    assert [text for text, _, _ in differences(texts, jar_tokens(texts, tmp_path)) if "Σ" not in text] == []


def mutants(count: int) -> list[str]:
    """Words of the golden texts, whole or cut, in any case, apart or glued: odd, but made of what captions have."""
    chance = random.Random(20)
    words = sorted({word for case in CASES for word in case["text"].split(" ")})
    texts = []
    for _ in range(count):
        text = ""
        for _ in range(chance.randint(1, 5)):
            word = chance.choice(words)
            word = chance.choice([word, word, word, word.upper(), word.title(), word[1:], word[:-1]])
            text += word + chance.choice([" ", " ", " ", "", "", ".", ",", "'", "-", "’", "/", '"', ". The "])
        texts.append(text)
    return texts


@needs_java
def test_mutants_against_the_jar(tmp_path: Path) -> None:
    texts = [text for text in mutants(40_000) if EXCEPTIONS.isdisjoint(text)]
    assert len(texts) > 35_000
    assert differences(texts, jar_tokens(texts, tmp_path)) == []


PIECES = sorted({piece for case in CASES for piece in (case["text"], *case["text"].split(" "))})
anything = st.one_of(
    st.text(st.integers(0, 0x10FFFF).map(chr)),  # lone surrogates and NUL too
    st.lists(st.sampled_from([*PIECES, *"aAnt'.-,/&@5 <>:", "n't", "\n"])).map("".join),
)


@given(anything)
@example("\ud800 \x00 http://\udfff")
def test_any_text_gives_clean_tokens(text: str) -> None:
    tokens = tokenize(text)
    if tokens:
        words = tokens.split(" ")
        assert "" not in words
        assert PUNCTUATION.isdisjoint(words)
    assert tokens == tokens.strip(" ")


def test_a_last_space_inside_a_token_goes() -> None:
    assert tokenize("foo@bar\u3000") == "foo@bar"  # the toolkit strips its output lines


@given(anything, st.sampled_from(LINE_ENDS))
@example("plan b. The man", "\r")
@example("plan b. The man", "\u2029")
def test_a_line_end_is_a_space(text: str, line_end: str) -> None:
    assert tokenize(text.replace(" ", line_end)) == tokenize(text)


ordinary = st.lists(
    st.sampled_from(
        ["a", "A", "b", "man", "Two", "t-shirt", "gonna", "Cannot", "cannot-x", "st", "La", "no", "mr", "The"]
        + 4 * [" "]
        + [", ", " , ", ".", " .", "  ", "-", ","]
    )
).map("".join)


@given(ordinary)
@example("A man cannot go")
@example("A man cannot.")
@example("plan b .")
@example("Love La. ")
def test_the_short_cut_agrees_with_the_rules(text: str) -> None:
    assert tokenize(text) == " ".join(scan(text))


COMMON = ["dog", "Dog's", "don't", "cannot", "t-shirt", "(red)", "3.5", "st.", "u.s.", "o'clock", "'em", "$5", "50%"]


# Not so in general: `b. ,` gives `b.`, which then ends the caption and loses its dot.
@given(st.lists(st.sampled_from(COMMON)))
def test_common_tokens_are_stable(words: list[str]) -> None:
    once = tokenize(" ".join(words))
    assert tokenize(once) == once


UNITS = "a|a.|-|a-|.,|&|<|7|a@|a,|a;|don't |ab.,|<!a|<a b='|http://(|123-|1/2-|b. |n'|é5.|u.s.-|(^|😀|\xad| |a, b-"


@pytest.mark.parametrize("unit", [*UNITS.split("|"), 'a.-,@& <a b="5/'], ids=ascii)
def test_time_is_linear(unit: str) -> None:
    """100,000 characters take half a second; reading to the end from every word would take minutes."""
    for tail in ("", "!", ".,"):
        text = (unit * 100_000)[:100_000] + tail
        begin = time.thread_time()
        tokenize(text)
        assert time.thread_time() - begin < 10
