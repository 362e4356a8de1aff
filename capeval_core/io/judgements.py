"""People's judgements from files: ratings beside captions or in a file of their own, winners of pairs.

Captions and scores are read by readers.py; here is what belongs to people. A file of ratings names captions by
image_id, system and candidate, or by as many of these as it has; one that has `system` only rates captioners. Rows of
pairs have `first`, `second` and `winner`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from capeval_core.errors import InvalidInput
from capeval_core.io import json_stream, readers, rows, sources
from capeval_core.io.dataset import DataSet, Pairs
from capeval_core.io.limits import NONE, Limits
from capeval_core.io.part import Part, Pool, Wanted
from capeval_core.io.sources import Meter, Source
from capeval_core.types import CaptionItem

WINNERS = ("first", "second", "tie")
NO_GROUP = "all"  # the group of pairs that name none
LEAST = 10  # captions or pairs; fewer say nothing
LEAST_CAPTIONERS = 4  # Williams' test needs as many
ADD_RATINGS = "add rating (a number) or ratings (a list), or give a file with them too"


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """Captions with what people say of them: the data set's ratings, or pairs, or ratings of whole captioners."""

    data: DataSet
    pairs: Pairs | None = None
    captioners: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    raters: tuple[str, ...] = ()  # whose each place in a caption's ratings is; none where nobody knows


def read(
    given: Sequence[Source],
    *,
    references: Source | None = None,
    judged: Sequence[Source] = (),
    scored: Source | None = None,
    keys: Collection[str] = (),
    limits: Limits = NONE,
) -> Judgements:
    """Captions, or pairs of them; `judged` are files of ratings or pairs for these captions, `scored` is what `score`
    wrote for them. Columns among `keys` are scores."""
    if has_pairs(given[0], limits):
        found = read_pairs(given, limits=limits, bare=scored is not None)
    else:
        found = Judgements(readers.read_dataset(given, references=references, keys=keys, limits=limits))
        found = replace(found, raters=raters(found.data))
    if scored is not None:
        found = replace(found, data=with_scores(found.data, scored, keys, limits))
    if judged:
        from capeval_core.io import judged_rows

        found = judged_rows.join(found, judged, limits)
    check(found, judged[-1] if judged else given[-1])
    return found


def has_pairs(source: Source, limits: Limits = NONE) -> bool:
    """Whether its first row is a pair of captions."""
    meter = Meter(limits)
    with sources.unzipped([source], meter) as (files, _):
        if not files or (files[0].kind == ".json" and json_stream.is_object(files[0])):
            return False
        _, row = next(iter(readers.read_rows(files[0], meter)), ("", None))
        return is_pair(row)


def is_pair(row: Any) -> bool:
    return isinstance(row, dict) and {"first", "second"} <= row.keys() and not {"candidate", "caption"} & row.keys()


def raters(data: DataSet) -> tuple[str, ...]:
    """rater 1, rater 2, ...: a list's places are its raters'."""
    width = max(map(len, data.ratings or ()), default=0)
    return tuple(f"rater {place}" for place in range(1, width + 1)) if width > 1 else ()


def read_pairs(
    given: Sequence[Source], *, limits: Limits = NONE, bare: bool = False, named: bool = False
) -> Judgements:
    """Rows of image_id, first, second, references, winner, and a group or not. `bare`: references may be missing.
    `named`: the captions' captioner is called by the file's name."""
    meter = Meter(limits)
    places: dict[CaptionItem, int] = {}
    found: list[tuple[int, int, str, str]] = []
    with sources.unzipped(given, meter) as (files, _):
        for source in files:
            part = Part(source, Wanted(extras=False), limits, Pool(), source.path.stem if named else "")
            for where, row in readers.read_rows(source, meter):
                found.append(_pair(part, row, where, bare, places))
                if len(part.items) > limits.captions:
                    most = f"at most {limits.captions:,} captions"
                    raise InvalidInput(f"{source.name}: too much to load here", expected=most)
            part.finish()
    title = files[0].origin
    first, second, winners, groups = zip(*found, strict=True)
    return Judgements(DataSet(title, tuple(places)), Pairs(first, second, winners, groups))


def _pair(part: Part, row: Any, where: str, bare: bool, places: dict[CaptionItem, int]) -> tuple[int, int, str, str]:
    if not isinstance(row, dict):
        raise InvalidInput(where, expected="an object with image_id, first, second, winner", found=rows.kind(row))
    captions = []
    for name in WINNERS[:2]:
        if name not in row:
            raise InvalidInput(f"{where}: field {name} is missing")
        rows.text(row[name], f"{where}: field {name}")
        shared = {field: row[field] for field in ("image_id", "references") if field in row}
        part.add(({"references": []} if bare else {}) | shared | {"candidate": row[name]}, where)
        captions.append(places.setdefault(part.items[-1], len(places)))
    return captions[0], captions[1], winner(row, where), group(row, where)


def winner(row: Mapping[str, Any], where: str) -> str:
    found = row.get("winner")
    if found not in WINNERS:
        said = rows.kind(found) if not isinstance(found, str) else repr(found[:40])
        expected = '"first", "second" or "tie"'
        raise InvalidInput(f"{where}: field winner", expected=expected, found=said if "winner" in row else "none")
    return str(found)


def group(row: Mapping[str, Any], where: str) -> str:
    found = row.get("group")
    return rows.text(found, f"{where}: field group") or NO_GROUP if found is not None else NO_GROUP


def with_scores(data: DataSet, source: Source, keys: Collection[str], limits: Limits = NONE) -> DataSet:
    """The data set with the scores of another file, matched by image, captioner and caption, in the order they come."""
    other = readers.read_dataset([source], keys=keys, limits=limits, extras=False)
    if not other.scores:
        raise InvalidInput(f"{source.name}: line 1: no scores", expected=f"a column named {', '.join(keys)}"[:300])
    places: dict[tuple[str, str, str], list[int]] = {}
    for place, item in enumerate(other.items):
        places.setdefault(_key(item), []).append(place)
    used: dict[tuple[str, str, str], int] = {}
    chosen = []
    for item in data.items:
        key = _key(item)
        if key not in places:
            wanted = f"{item.candidate[:80]!r} of image {item.image_id[:80]!r}"
            raise InvalidInput(f"{source.name}: field candidate: no scores for {wanted}", fix="score the same captions")
        again = used[key] = used.get(key, -1) + 1  # the same caption twice: its second score is the second one's
        chosen.append(places[key][min(again, len(places[key]) - 1)])
    return replace(data, scores={**data.scores, **{key: values[chosen] for key, values in other.scores.items()}})


def _key(item: CaptionItem) -> tuple[str, str, str]:
    return item.image_id, item.system, item.candidate


def check(found: Judgements, source: Source) -> None:
    """Enough judgements, and not all the same."""
    where = f"{source.name}: line {_last_line(found, source)}"
    if found.pairs is not None:
        if len(found.pairs.winners) < LEAST:
            count = str(len(found.pairs.winners))
            raise InvalidInput(f"{where}: field winner: too few pairs", expected=f"{LEAST} or more", found=count)
        return
    captioners = bool(found.captioners)
    given = list(found.captioners.values()) if captioners else list(found.data.ratings or ())
    rated = [[value for value in one if not math.isnan(value)] for one in given]
    rated = [one for one in rated if one]
    if not rated:
        raise InvalidInput(f"{source.name}: line 1: field rating is missing", fix=ADD_RATINGS)
    least, noun = (LEAST_CAPTIONERS, "captioners") if captioners else (LEAST, "captions")
    if len(rated) < least:
        expected = f"{least} or more {noun} with a rating"
        raise InvalidInput(f"{where}: field rating: too few rows", expected=expected, found=str(len(rated)))
    values = np.concatenate(rated)
    if np.ptp(values) == 0:
        expected, said = "at least two different ratings", f"{values[0]:g} everywhere"
        raise InvalidInput(f"{where}: field rating: one constant rating", expected=expected, found=said)


def _last_line(found: Judgements, source: Source) -> int:
    """Of the judgements, where each has a line of its own."""
    lists = found.captioners.values() or found.data.ratings or ()
    count = len(found.pairs.winners) if found.pairs else sum(any(map(math.isfinite, one)) for one in lists)
    return count + (source.kind in (".csv", ".tsv"))
