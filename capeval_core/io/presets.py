"""The public data sets of judged captions, each read from its files and laid out by the protocol of recent papers.

flickr8k-expert   Hodosh et al. 2013: ExpertAnnotations.txt with Flickr8k.token.txt
flickr8k-cf       the same authors' CrowdFlowerAnnotations.txt with Flickr8k.token.txt
composite         Aditya et al. 2015, as composite.jsonl: image_id, candidate, references, judgement. Its public tables
                  hold three or four rated captions per image without references, and no paper says which three make
                  the 11,985 that all of them count, so there is no reading these.
pascal50s         Vedantam et al. 2015: pair_pascal.mat and consensus_pascal.mat, or pascal50s.jsonl: image_id,
                  category, first, second, references, winner

A published figure holds for its protocol only; `Preset.line` says it in one line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from capeval_core.errors import InvalidInput
from capeval_core.io import judgements, readers, rows, sources
from capeval_core.io.dataset import DataSet, Pairs
from capeval_core.io.judgements import Judgements
from capeval_core.io.sources import Meter
from capeval_core.types import CaptionItem

TOKENS = "Flickr8k.token.txt"
GROUPS = ("HC", "HI", "HM", "MM")  # by pair_pascal.mat's category, from 1
VOTES = 48  # judgements of each pair in consensus_pascal.mat
REFERENCES = 5  # of PASCAL-50S's fifty that are used, as in the SPICE and SMURF papers
WAYS = {"flatten": "all ratings flattened", "mean": "mean of the ratings", "mode": "mode of the ratings"}
COEFFICIENTS = {"kendall_b": "Kendall tau-b", "kendall_c": "Kendall tau-c"}


@dataclass(frozen=True, slots=True)
class Preset:
    key: str
    title: str
    rules: str  # what is compared; {rows} is how many there are
    read: Callable[[Path], Judgements] = field(repr=False)
    way: str = "flatten"  # how several ratings of a caption are taken; nothing where each has one
    headline: str = "kendall_c"  # the coefficient that papers report; "accuracy" for pairs

    def line(self, rows: int, way: str = "") -> str:
        rules = self.rules.format(rows=f"{rows:,}")
        if self.headline == "accuracy":
            return f"{self.title}: {rules}"
        several = WAYS.get(way or self.way) if self.way else None
        return "; ".join(filter(None, [f"{self.title}: {rules}", several, COEFFICIENTS[self.headline]]))


def flickr8k_expert(folder: Path) -> Judgements:
    captions = _captions(folder / TOKENS)
    own = _by_image(captions)
    items, ratings = [], []
    for where, image, caption, cells in _annotations(folder / "ExpertAnnotations.txt", captions):
        if caption in own.get(image, ()):
            continue  # one of the image's own: there would be a perfect match among the references
        items.append(CaptionItem(image, caption, own.get(image, ())))
        ratings.append(tuple(rows.number(cell, f"{where}: column {place}") for place, cell in enumerate(cells, 3)))
    # The file lists the three ratings in ascending order: a column is not one person's, so no raters are named.
    return Judgements(DataSet("Flickr8k-Expert", tuple(items), ratings=tuple(ratings)))


def flickr8k_cf(folder: Path) -> Judgements:
    captions = _captions(folder / TOKENS)
    found = list(_annotations(folder / "CrowdFlowerAnnotations.txt", captions))
    left = {image: list(own) for image, own in _by_image(captions).items()}
    for _, image, caption, _ in found:
        if caption in left.get(image, ()):
            left[image].remove(caption)
    references = {image: tuple(own) for image, own in left.items()}
    items = tuple(CaptionItem(image, caption, references.get(image, ())) for _, image, caption, _ in found)
    ratings = []
    for where, _, _, cells in found:
        yes, no = (rows.number(cell, f"{where}: column {place}") for place, cell in enumerate(cells[1:], 4))
        ratings.append((1.0,) * int(yes) + (0.0,) * int(no))
    return Judgements(DataSet("Flickr8k-CF", items, ratings=tuple(ratings)))


def composite(given: Path) -> Judgements:
    items, ratings = [], []
    for where, row in _jsonl(given, "composite"):
        items.append(_item(row, where, "candidate"))
        ratings.append((rows.number(row.get("judgement"), f"{where}: field judgement"),))
    return Judgements(DataSet("COMPOSITE", tuple(items), ratings=tuple(ratings)))


def pascal50s(given: Path, winner: str = "winner") -> Judgements:
    """`winner_11_votes` in place of `winner`: the labels of older papers."""
    if given.is_dir() and (given / "consensus_pascal.mat").is_file():
        return _from_rows(_matlab(given), "winner")
    named = ((where, row | {"group": row.get("category")}) for where, row in _jsonl(given, "pascal50s"))
    return _from_rows(named, winner)


PRESETS = {
    preset.key: preset
    for preset in (
        Preset(
            "flickr8k-expert",
            "Flickr8k-Expert",
            "{rows} captions, those that are an image's own left out; 5 references; three experts' ratings 1-4",
            flickr8k_expert,
        ),
        Preset(
            "flickr8k-cf",
            "Flickr8k-CF",
            "{rows} captions; an image's own rated captions taken out of its references; yes 1, no 0",
            flickr8k_cf,
            way="mean",
            headline="kendall_b",
        ),
        Preset(
            "composite",
            "COMPOSITE",
            "{rows} captions; the caption itself taken out of its references; correctness 1-5",
            composite,
            way="",
        ),
        Preset(
            "pascal50s",
            "PASCAL-50S",
            "{rows} pairs by group; 5 references; winner by 48 votes; accuracy, ties half",
            pascal50s,
            headline="accuracy",
        ),
    )
}


def read(key: str, given: Path) -> Judgements:
    """`given` is the folder of the data set's files, or our JSONL form of it."""
    if key not in PRESETS:
        raise InvalidInput(f"no preset {key!r}", expected=f"one of {', '.join(PRESETS)}")
    found = PRESETS[key].read(given)
    judgements.check(found, sources.at(given))
    return found


def _captions(path: Path) -> dict[str, str]:
    """Caption id (image#0) -> caption."""
    found = {}
    for number, line in sources.lines(sources.at(path), Meter()):
        identifier, tab, caption = line.rstrip("\r\n").partition("\t")
        if not tab or "#" not in identifier:
            expected = "an image's name, # and a number, a tab, the caption"
            raise InvalidInput(f"{path}: line {number}", expected=expected, found=line[:60])
        found[identifier] = caption
    return found


def _by_image(captions: dict[str, str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for identifier, caption in captions.items():
        found.setdefault(identifier.partition("#")[0], []).append(caption)
    return {image: tuple(own) for image, own in found.items()}


def _annotations(path: Path, captions: dict[str, str]) -> Iterator[tuple[str, str, str, list[str]]]:
    """Where it stands, image, caption, and the three numbers of each line."""
    for number, line in sources.lines(sources.at(path), Meter()):
        where, cells = f"{path}: line {number}", line.split()
        if len(cells) != 5:
            raise InvalidInput(where, expected="image, caption id and three numbers", found=f"{len(cells)} cells")
        image, identifier, *values = cells
        if identifier not in captions:
            raise InvalidInput(f"{where}: column 2 matches nothing in {TOKENS}", found=repr(identifier[:80]))
        yield where, image, captions[identifier], values


def _jsonl(given: Path, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of our form: the file itself, or NAME.jsonl or NAME.jsonl.gz in the folder."""
    path = given
    if given.is_dir():
        names = [given / f"{name}.jsonl", given / f"{name}.jsonl.gz"]
        path = next((one for one in names if one.is_file()), names[0])
    for where, row in readers.read_rows(sources.at(path), Meter()):
        if not isinstance(row, dict):
            raise InvalidInput(where, expected="an object", found=rows.kind(row))
        yield where, row


def _item(row: dict[str, Any], where: str, name: str) -> CaptionItem:
    if name not in row:
        raise InvalidInput(f"{where}: field {name} is missing")
    caption = rows.text(row[name], f"{where}: field {name}")
    return CaptionItem(rows.identifier(row, where), caption, rows.references(row.get("references"), where))


def _from_rows(given: Iterator[tuple[str, dict[str, Any]]], winner: str) -> Judgements:
    places: dict[CaptionItem, int] = {}
    found = []
    for where, row in given:
        first, second = (places.setdefault(_item(row, where, side), len(places)) for side in ("first", "second"))
        chosen = judgements.winner(row | {"winner": row.get(winner)}, where)
        found.append((first, second, chosen, judgements.group(row, where)))
    columns: Sequence[Any] = tuple(zip(*found, strict=True)) or ((), (), (), ())
    return Judgements(DataSet("PASCAL-50S", tuple(places)), Pairs(*columns))


def _matlab(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The authors' files: pairs with their category, and for each 48 triplets (reference, first, second, vote)."""
    pairs = _load(folder / "pair_pascal.mat", ("new_input", "category"))
    (triplets,) = _load(folder / "consensus_pascal.mat", ("triplets",))
    for number, (pair, category) in enumerate(zip(*pairs, strict=True)):
        image, first, second = (str(_leaf(cell)).strip() for cell in list(pair)[:3])
        votes = [[_leaf(cell) for cell in list(one)[:4]] for one in triplets[number * VOTES : (number + 1) * VOTES]]
        for_first = sum(vote[3] == 1 for vote in votes)
        yield (
            f"{folder}: pair {number + 1}",
            {
                "image_id": image,
                "first": first,
                "second": second,
                "references": [str(vote[0]).strip() for vote in votes[:REFERENCES]],
                "winner": "tie" if 2 * for_first == len(votes) else "first" if 2 * for_first > len(votes) else "second",
                "group": GROUPS[int(_leaf(category)) - 1],
            },
        )


def _load(path: Path, names: Sequence[str]) -> list[Any]:
    from scipy.io import loadmat  # type: ignore[import-untyped]
    from scipy.io.matlab import MatReadError  # type: ignore[import-untyped]

    try:
        found = loadmat(str(path))
        return [found[name].ravel() for name in names]
    except (MatReadError, OSError, ValueError, KeyError, TypeError, NotImplementedError) as error:
        expected = f"a MATLAB file with {' and '.join(names)}"
        raise InvalidInput(f"{path}: cannot be read", expected=expected, found=str(error)[:200]) from error


def _leaf(cell: Any) -> Any:
    """MATLAB's cells lie in arrays of arrays."""
    while hasattr(cell, "ravel") and getattr(cell, "shape", ()) != ():
        cell = cell.ravel()[0]
    return cell
