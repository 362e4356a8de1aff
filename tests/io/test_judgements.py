"""Judgements from files: ratings beside captions, in files of their own, pairs, scores that come along."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from capeval_core import InvalidInput
from capeval_core.io import judgements, sources
from capeval_core.io.judgements import Judgements
from capeval_core.io.limits import APP
from capeval_core.io.sources import Source

ROWS = [
    {"image_id": place // 2, "system": f"s{place % 2}", "candidate": f"caption {place}", "references": ["a"]}
    for place in range(12)
]
PAIRS = [
    {"image_id": 1, "first": f"a {place}", "second": "b", "references": ["x"], "winner": "first", "group": "HC"}
    for place in range(10)
]


def file(content: list[dict[str, Any]], name: str = "a.jsonl") -> Source:
    return sources.of_bytes(name, "".join(json.dumps(row) + "\n" for row in content).encode())


def read(*given: Source, **more: Any) -> Judgements:
    return judgements.read(given, keys=("cider",), **more)


def test_ratings_beside_captions() -> None:
    found = read(file([row | {"ratings": [place, None, 3]} for place, row in enumerate(ROWS)]))
    assert found.data.ratings is not None
    assert found.data.ratings[1] == (1.0, math.nan, 3.0)
    assert found.raters == ("rater 1", "rater 2", "rater 3")
    assert found.pairs is None
    assert read(file([row | {"rating": place} for place, row in enumerate(ROWS)])).raters == ()
    cells = "image_id,candidate,reference_1,rating\n" + "".join(f"{n},a,b,{n}\n" for n in range(12))
    assert read(sources.of_bytes("a.csv", cells.encode())).data.ratings == tuple((float(n),) for n in range(12))


def test_ratings_in_a_file_of_their_own() -> None:
    keyed = [{"image_id": row["image_id"], "system": row["system"], "rating": n} for n, row in enumerate(ROWS)]
    found = read(file(ROWS), judged=[file(keyed[::-1], "ratings.jsonl")])
    assert found.data.ratings == tuple((float(n),) for n in range(12))
    by_caption = [
        {"image_id": row["image_id"], "caption": row["candidate"], "rating": 12 - n} for n, row in enumerate(ROWS)
    ]
    both = [file(keyed, "ann.jsonl"), file(by_caption[:11], "bo.jsonl")]
    found = read(file(ROWS), judged=both)
    assert found.data.ratings is not None
    assert found.data.ratings[3] == (3.0, 9.0)
    assert found.data.ratings[11] == (11.0, math.nan)
    assert found.raters == ("ann", "bo")


def test_raters_by_name() -> None:
    rated = [{"image_id": row["image_id"], "candidate": row["candidate"], "rater": who, "rating": n}
             for who in ("Ann", "Bo") for n, row in enumerate(ROWS)]  # fmt: skip
    found = read(file(ROWS), judged=[file(rated)])
    assert found.raters == ("Ann", "Bo")
    assert found.data.ratings == tuple((float(n), float(n)) for n in range(12))
    with pytest.raises(InvalidInput, match=r"b.jsonl: line 25: field rater: 'Bo' has rated this caption before"):
        read(file(ROWS), judged=[file([*rated, rated[-1]], "b.jsonl")])
    nameless = [{name: value for name, value in row.items() if name != "rater"} for row in rated]
    found = read(file(ROWS), judged=[file(nameless)])
    assert found.data.ratings == tuple((float(n), float(n)) for n in range(12))
    assert found.raters == ()  # nobody knows whether the second rating is always the same person's


def test_own_ratings_stay() -> None:
    own = file([row | {"rating": n} for n, row in enumerate(ROWS)])
    more = [{"image_id": row["image_id"], "candidate": row["candidate"], "rating": 5} for row in ROWS]
    found = read(own, judged=[file(more, "more.jsonl")])
    assert found.data.ratings == tuple((float(n), 5.0) for n in range(12))
    assert len(found.raters) == 2


def test_ratings_of_captioners() -> None:
    many = [row | {"system": f"s{place % 4}"} for place, row in enumerate(ROWS)]
    rated = [{"system": f"s{place}", "rating": place / 2} for place in range(4)]
    found = read(file(many), judged=[file(rated)])
    assert found.captioners == {"s0": (0.0,), "s1": (0.5,), "s2": (1.0,), "s3": (1.5,)}
    assert found.data.ratings is None


def test_pairs() -> None:
    found = read(file(PAIRS))
    assert found.pairs is not None
    assert found.pairs.winners == ("first",) * 10
    assert found.pairs.groups == ("HC",) * 10
    assert len(found.data.items) == 11  # the same caption of the same image is one row
    texts = [found.data.items[row].candidate for row in found.pairs.first]
    assert texts == [f"a {place}" for place in range(10)]
    assert {found.data.items[row].candidate for row in found.pairs.second} == {"b"}
    plain = [{name: value for name, value in row.items() if name != "group"} for row in PAIRS]
    assert read(file(plain)).pairs.groups == ("all",) * 10  # type: ignore[union-attr]


def test_pairs_over_captions_that_are_there() -> None:
    captions = file([row | {"cider": 0.5} for row in ROWS])
    chosen = [
        {"image_id": n, "first": f"caption {2 * n}", "second": f"caption {2 * n + 1}", "winner": "tie"}
        for n in (*range(6), *range(6))
    ]
    found = read(captions, judged=[file(chosen)])
    assert found.pairs is not None
    assert found.pairs.first[:3] == (0, 2, 4)
    assert found.pairs.second[:3] == (1, 3, 5)
    with pytest.raises(InvalidInput, match="line 1: field second matches nothing; expected one that image '0' has"):
        read(captions, judged=[file([chosen[0] | {"second": "another"}])])


def test_scores_in_a_file_of_their_own() -> None:
    rated = file([row | {"rating": place} for place, row in enumerate(ROWS)])
    scored = [{"image_id": row["image_id"], "system": row["system"], "candidate": row["candidate"], "cider": n / 8}
              for n, row in enumerate(ROWS)]  # fmt: skip
    found = read(rated, scored=file(scored[::-1], "scores.jsonl"))
    np.testing.assert_array_equal(found.data.scores["cider"], np.arange(12) / 8)
    with pytest.raises(InvalidInput, match=r"scores.jsonl: field candidate: no scores for 'caption 11' of image '5'"):
        read(rated, scored=file(scored[:11], "scores.jsonl"))
    with pytest.raises(InvalidInput, match=r"a.jsonl: line 1: .*references"):
        read(rated, scored=file([{k: v for k, v in row.items() if k != "cider"} for row in scored]))
    bare = [{name: value for name, value in row.items() if name != "references"} for row in PAIRS]
    captions = [{"image_id": 1, "candidate": text, "cider": 1.0} for text in ("b", *(f"a {n}" for n in range(10)))]
    assert set(read(file(bare), scored=file(captions)).data.scores) == {"cider"}
    with pytest.raises(InvalidInput, match="line 1: field references is missing"):
        read(file(bare))


def test_a_caption_that_comes_twice_has_two_scores() -> None:
    twice = [ROWS[place // 2] | {"rating": place} for place in range(12)]
    scored = [{**ROWS[place // 2], "cider": place / 2} for place in range(12)]
    np.testing.assert_array_equal(read(file(twice), scored=file(scored)).data.scores["cider"], np.arange(12) / 2)


RATED = [row | {"rating": place} for place, row in enumerate(ROWS)]
OWN = [{"image_id": row["image_id"], "rating": place} for place, row in enumerate(ROWS)]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([*RATED[:3], RATED[3] | {"rating": "good"}], "a.jsonl: line 4: field rating; expected a number; found 'good'"),
        ([*RATED[:3], RATED[3] | {"rating": True}], "a.jsonl: line 4: field rating; expected a number; found True"),
        ([RATED[0] | {"ratings": [1, "x"]}], r"a.jsonl: line 1: field ratings\[1\]; expected a number; found 'x'"),
        ([row | {"rating": 3} for row in ROWS], "a.jsonl: line 12: field rating: one constant rating; .* 3 everywhere"),
        (RATED[:9], "a.jsonl: line 9: field rating: too few rows; expected 10 or more captions with a rating; found 9"),
        ([row | {"ratings": [None]} for row in ROWS], "a.jsonl: line 1: field rating is missing"),
        (ROWS, "a.jsonl: line 1: field rating is missing. Fix: add rating"),
        (PAIRS[:9], "a.jsonl: line 9: field winner: too few pairs; expected 10 or more; found 9"),
        ([PAIRS[0] | {"winner": None}], 'line 1: field winner; expected "first", "second" or "tie"; found null'),
        ([PAIRS[0], PAIRS[1] | {"winner": "both"}], "line 2: field winner; expected \"first\", .*; found 'both'"),
        ([{k: v for k, v in PAIRS[0].items() if k != "winner"}], "line 1: field winner; .*; found none"),
        ([PAIRS[0], {k: v for k, v in PAIRS[1].items() if k != "second"}], "line 2: field second is missing"),
        ([PAIRS[0] | {"first": 7}], "line 1: field first; expected text; found a number"),
        ([PAIRS[0], 7], "line 2; expected an object with image_id, first, second, winner; found a number"),
    ],
)
def test_bad_files_are_one_line(rows: list[Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        read(file(rows))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"image_id": 99, "rating": 1}, "r.jsonl: line 1: field image_id matches nothing; .* found '99'"),
        (
            {"image_id": 1, "system": "x", "rating": 1},
            "line 1: field system matches nothing; .* image '1' has; found 'x'",
        ),
        ({"image_id": 1, "candidate": "x", "rating": 1}, "line 1: field candidate matches nothing; .*; found 'x'"),
        ({"system": "nobody", "rating": 1}, "line 1: field system matches nothing; expected one of 's0', 's1'"),
        ({"image_id": 1}, "line 1: field rating is missing"),
        ({"image_id": 1, "rating": "x"}, "line 1: field rating; expected a number"),
        ({"rating": 1}, "line 1: field image_id is missing"),
        (7, "line 1; expected an object with image_id and rating; found a number"),
    ],
)
def test_bad_files_of_ratings_are_one_line(row: Any, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        read(file(ROWS), judged=[file([row], "r.jsonl")])


def test_a_constant_rating_is_named_where_it_stands() -> None:
    constant = [row | {"rating": 3} for row in OWN]
    with pytest.raises(InvalidInput, match=r"r.jsonl: line 12: field rating: one constant rating"):
        read(file(ROWS), judged=[file(constant, "r.jsonl")])


def test_too_few_captioners() -> None:
    with pytest.raises(InvalidInput, match="expected 4 or more captioners with a rating; found 1"):
        read(file(ROWS), judged=[file([{"system": "s0", "rating": 2}])])


def test_a_visitors_pairs_are_limited() -> None:
    many = [PAIRS[0] | {"first": str(place)} for place in range(30_000)]
    with pytest.raises(InvalidInput, match="too much to load here; expected at most 50,000 captions"):
        judgements.read([file(many)], limits=APP)
