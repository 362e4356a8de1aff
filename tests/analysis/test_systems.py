"""Clouds, ellipses and overlaps: against geometry worked out here without shapely, and the published figures."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

from capeval_core import CaptionItem, InvalidInput
from capeval_core.analysis import bootstrap, ellipses, systems
from capeval_core.types import Array
from tests.cases import karpathy, needs_shared

Point = tuple[float, float]


def ellipse_by_hand(points: Array, size: float, corners: int = 180) -> list[Point]:
    """Counter-clockwise polygon of the covariance ellipse, from the closed form of a 2 x 2 matrix's square root."""
    n = len(points)
    mx, my = sum(points[:, 0]) / n, sum(points[:, 1]) / n
    a = sum((points[:, 0] - mx) ** 2) / (n - 1)
    b = sum((points[:, 0] - mx) * (points[:, 1] - my)) / (n - 1)
    c = sum((points[:, 1] - my) ** 2) / (n - 1)
    s = math.sqrt(a * c - b * b)
    t = math.sqrt(a + c + 2 * s)
    turns = [2 * math.pi * k / corners for k in range(corners)]
    units = [(size * math.cos(turn), size * math.sin(turn)) for turn in turns]
    return [(mx + ((a + s) * x + b * y) / t, my + (b * x + (c + s) * y) / t) for x, y in units]


def area_by_hand(polygon: list[Point]) -> float:
    return sum(x * v - u * y for (x, y), (u, v) in zip(polygon, polygon[1:] + polygon[:1], strict=True)) / 2


def clip_by_hand(polygon: list[Point], window: list[Point]) -> list[Point]:
    """What of a convex polygon lies left of every edge of another (Sutherland and Hodgman)."""
    for (x, y), (u, v) in zip(window, window[1:] + window[:1], strict=True):
        sides = [(u - x) * (q - y) - (v - y) * (p - x) for p, q in polygon]
        kept: list[Point] = []
        for place, (p, q) in enumerate(polygon):
            before, here, (o, r) = sides[place - 1], sides[place], polygon[place - 1]
            if before * here < 0:
                share = before / (before - here)
                kept.append((o + share * (p - o), r + share * (q - r)))
            if here >= 0:
                kept.append((p, q))
        polygon = kept
    return polygon


def overlap_by_hand(reference: Array, machine: Array, size: float = 1.15) -> float:
    made = ellipse_by_hand(machine, size)
    shared = clip_by_hand(made, ellipse_by_hand(reference, size))
    return area_by_hand(shared) / area_by_hand(made) if shared else 0.0


def cloud(seed: int, count: int = 200) -> tuple[list[CaptionItem], dict[str, Array]]:
    """Three captioners, a caption each for `count` images; x leans on y, and b lies beside a, c inside it."""
    generator = np.random.default_rng(seed)
    items, parts = [], []
    for name, centre, spread in (("a", (0.5, 0.4), 0.10), ("b", (0.6, 0.4), 0.12), ("c", (0.5, 0.4), 0.03)):
        items += [CaptionItem(str(image), f"{name} {image}", (), name) for image in range(count)]
        parts.append(generator.normal(centre, spread, (count, 2)) @ np.array([[1.0, 0.3], [0.0, 0.5]]))
    values = np.concatenate(parts)
    return items, {"sparcs": values[:, 0], "spurts": values[:, 1], "mima": values[:, 0] * 0.1}


def report(found: systems.Analysis, name: str) -> systems.SystemReport:
    return next(one for one in found.systems if one.system == name)


def cloud_of(found: systems.Analysis, name: str) -> systems.Cloud:
    made = report(found, name).cloud
    assert made is not None
    return made


@cache
def published() -> tuple[list[CaptionItem], dict[str, Array]]:
    items, scores = karpathy()
    return items, {name.lower(): scores[name] for name in ("SPARCS", "SPURTS", "MIMA", "SMURF")}


@needs_shared
def test_published_scores_give_the_published_picture() -> None:
    items, scores = published()
    found = systems.analyse(items, scores, "human", scales=systems.PUBLISHED, samples=200)
    names = np.array([item.system for item in items])
    constants = {"sparcs": (0.400853, 0.171832), "spurts": (0.402463, 0.052658), "mima": (0.489233, 0.035721)}
    values = {key: (scores[key] - mean) / deviation for key, (mean, deviation) in constants.items()}
    points = {one: np.stack([values["sparcs"], values["spurts"]], 1)[names == one] for one in set(names)}
    for name, expected in (("m2", 0.510), ("xtransformer", 0.789), ("google", 0.717)):
        made = cloud_of(found, name)
        assert made.overlap == pytest.approx(overlap_by_hand(points["human"], points[name]), abs=1e-3)
        assert made.overlap == pytest.approx(expected, abs=1e-3)
        assert made.overlap_low < made.overlap < made.overlap_high
        assert made.overlap_high - made.overlap_low < 0.1
        low = [value + 1.96 for value in values["mima"][names == name].tolist() if value < -1.96]
        assert report(found, name).penalty == pytest.approx(sum(low), abs=1e-9)
        assert report(found, name).outliers == len(low)
    # The paper has -44.93 and -7.47 for all 5,000 images; these are 2,500 of them.
    assert report(found, "human").penalty == pytest.approx(-44.93 / 2, abs=1.5)
    assert report(found, "m2").penalty == pytest.approx(-7.47 / 2, abs=1.5)
    assert cloud_of(found, "human").overlap == pytest.approx(1.0)


@pytest.mark.parametrize("size", [0.5, 1.15, 3.0])
def test_overlap_equals_geometry_by_hand(size: float) -> None:
    items, scores = cloud(1)
    points = np.stack([scores["sparcs"], scores["spurts"]], 1).reshape(3, -1, 2)
    found = systems.analyse(items, scores, "a", size=size, samples=1)
    for place, name in enumerate("abc"):
        expected = overlap_by_hand(points[0], points[place], size)
        assert cloud_of(found, name).overlap == pytest.approx(expected, abs=1e-3)
    assert cloud_of(found, "c").overlap == pytest.approx(1.0, abs=1e-9)  # wholly inside
    turned = systems.analyse(items, scores, "c", size=size, samples=1)  # any captioner can be the reference
    assert cloud_of(turned, "a").overlap == pytest.approx(overlap_by_hand(points[2], points[0], size), abs=1e-3)
    assert cloud_of(turned, "a").overlap < 0.2


def test_ellipse_is_that_of_the_covariance() -> None:
    items, scores = cloud(2)
    shape = cloud_of(systems.analyse(items, scores, "a", samples=1), "b").ellipse
    points = cloud_of(systems.analyse(items, scores, "a", samples=1), "b").points
    assert shape is not None
    assert_allclose(shape.centre, points.mean(axis=0))
    turn = math.radians(shape.angle)
    along = (points - points.mean(axis=0)) @ [math.cos(turn), math.sin(turn)]
    across = (points - points.mean(axis=0)) @ [-math.sin(turn), math.cos(turn)]
    assert_allclose(shape.axes, [1.15 * along.std(ddof=1), 1.15 * across.std(ddof=1)])
    assert np.corrcoef(along, across)[0, 1] == pytest.approx(0, abs=1e-9)
    assert shape.axes[0] > shape.axes[1]
    precision = np.linalg.inv(np.cov(points.T))
    corners = np.array(shape.polygon) - shape.centre
    assert_allclose(np.sqrt(np.einsum("ni,ij,nj->n", corners, precision, corners)), 1.15)


def test_reference_sets_the_scale_unless_constants_are_given() -> None:
    items, scores = cloud(3)
    own = systems.analyse(items, scores, "a", samples=1)
    assert_allclose(cloud_of(own, "a").points.mean(axis=0), 0, atol=1e-12)
    assert_allclose(cloud_of(own, "a").points.std(axis=0), 1)
    given = systems.analyse(items, scores, "a", scales={"sparcs": systems.Scale(0.5, 2.0)}, samples=1)
    assert_allclose(cloud_of(given, "b").points[:, 0], (scores["sparcs"][200:400] - 0.5) / 2)
    assert_allclose(cloud_of(given, "b").points[:, 1], cloud_of(own, "b").points[:, 1])
    assert cloud_of(given, "b").overlap == pytest.approx(cloud_of(own, "b").overlap, abs=1e-9)


def test_centroid_is_the_caption_nearest_to_the_mean() -> None:
    values = np.array([0.0, 4.0, 2.1, 2.0, 0.0, 4.0])
    items = [CaptionItem(str(row), f"caption {row}", (), "a") for row in range(6)]
    found = systems.analyse(items, {"x": values, "y": values[::-1]}, "a", axes=("x", "y"), samples=1)
    assert cloud_of(found, "a").centroid == 2


def test_interval_draws_whole_images() -> None:
    """The same draws, with the captions themselves repeated and the ellipses made anew."""
    items, scores = cloud(4, count=30)
    found = systems.analyse(items, scores, "a", samples=25, seed=5)
    points = np.stack([scores["sparcs"], scores["spurts"]], 1).reshape(3, 30, 2)
    expected = []
    for counts in (row for block in bootstrap.draw(30, 25, 5) for row in block.astype(int)):
        expected.append(overlap_by_hand(np.repeat(points[0], counts, axis=0), np.repeat(points[1], counts, axis=0)))
    made = cloud_of(found, "b")
    assert_allclose([made.overlap_low, made.overlap_high], np.quantile(expected, [0.025, 0.975]), atol=1e-3)
    again = systems.analyse(items, scores, "a", samples=25, seed=5)
    other = systems.analyse(items, scores, "a", samples=25, seed=6)
    assert cloud_of(again, "b").overlap_low == made.overlap_low != cloud_of(other, "b").overlap_low


def few(values: list[tuple[float, float]], system: str) -> tuple[list[CaptionItem], list[tuple[float, float]]]:
    return [CaptionItem(str(row), f"{system} {row}", (), system) for row in range(len(values))], values


NAN = math.nan
ODD = {
    "three captions": ([(0.1, 0.2), (0.3, 0.1), (0.2, 0.4)], ""),
    "two captions": ([(0.1, 0.2), (0.3, 0.1)], systems.NO_AREA),
    "one caption": ([(0.1, 0.2)], systems.NO_AREA),
    "all equal": ([(0.7, 0.2)] * 5, systems.NO_AREA),
    "on a line": ([(0.1 * step, 0.3 * step) for step in range(5)], systems.NO_AREA),
    "one axis only": ([(0.1 * step, NAN) for step in range(5)], systems.NO_VALUES),
    "some undefined": ([(0.1, 0.2), (NAN, 0.1), (0.3, 0.1), (0.2, 0.4), (0.2, math.inf)], ""),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_clouds_say_what_is_wrong(name: str) -> None:
    values, note = ODD[name]
    items, rows = few([(0.1, 0.1), (0.4, 0.2), (0.2, 0.5), (0.3, 0.3)], "human")
    more, others = few(values, "odd")
    table = np.array(rows + others)
    scores = {"sparcs": table[:, 0], "spurts": table[:, 1], "mima": np.full(len(table), NAN)}
    found = systems.analyse([*items, *more], scores, "human", samples=50)
    made = cloud_of(found, "odd")
    assert made.note == note
    assert math.isnan(made.overlap) == bool(note)
    assert (made.centroid is None) == (note == systems.NO_VALUES)
    if not note:
        points = np.array([row for row in values if np.isfinite(row).all()])
        assert made.overlap == pytest.approx(overlap_by_hand(np.array(rows), points), abs=1e-3)
    turned = systems.analyse([*items, *more], scores, "odd", samples=50)  # and as the reference
    expected = systems.REFERENCE_NO_AREA if note else ""
    assert cloud_of(turned, "human").note == expected
    assert math.isnan(cloud_of(turned, "human").overlap) == bool(note)
    assert math.isnan(report(turned, "human").penalty)  # no MIMA at all


def test_grammar_penalty_counts_what_lies_below_the_threshold() -> None:
    items, _ = few([(0, 0)] * 4, "a")
    scores = {"mima": np.array([-3.0, -2.0, 0.0, NAN])}
    found = systems.analyse(items, scores, "a", axes=None, scales={"mima": systems.Scale(0.0, 1.0)})
    (one,) = found.systems
    assert one.penalty == pytest.approx(-1.04 - 0.04)
    assert one.outliers == 2
    assert one.cloud is None
    assert one.means == {"mima": pytest.approx(-5 / 3)}


def test_bad_questions_are_refused() -> None:
    items, scores = cloud(6, count=4)
    with pytest.raises(InvalidInput, match="no captioner 'z' to compare with; expected one of 'a', 'b', 'c'"):
        systems.analyse(items, scores, "z")
    with pytest.raises(InvalidInput, match="no scores of 'cider'; expected one of sparcs, spurts, mima"):
        systems.analyse(items, scores, "a", axes=("sparcs", "cider"))
    with pytest.raises(InvalidInput, match="scores of 'sparcs'; expected 12 values; found 11"):
        systems.analyse(items, scores | {"sparcs": np.zeros(11)}, "a")
    with pytest.raises(InvalidInput, match="size of the ellipse"):
        systems.analyse(items, scores, "a", size=0.0)
    with pytest.raises(InvalidInput, match="no captioner"):
        systems.analyse([], {}, "a", axes=None)


def test_far_from_the_origin_no_digits_are_lost() -> None:
    points = np.random.default_rng(7).normal(size=(50, 2))
    near, far = ellipses.ellipse(points), ellipses.ellipse(points + 1e6)
    assert_allclose(near.axes, far.axes, rtol=1e-7)
