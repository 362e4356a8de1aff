"""Covariance ellipses of point clouds, and how much of one lies inside another. Everything works on stacks of clouds.

The SMURF paper draws its ellipse 1.15 standard deviations from the mean and calls that 75 % confidence: it is for one
axis alone; of a normal cloud in two dimensions about 48 % lies inside. The size is the caller's to choose.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely

from capeval_core.types import Array

SIZE = 1.15
CORNERS = 256  # of the polygon that stands for an ellipse: its area is right to 1 in 10,000
FLAT = 1e-6  # a shorter half-axis is rounding; for clouds whose spread is about 1


@dataclass(frozen=True, slots=True)
class Ellipse:
    centre: tuple[float, float]
    axes: tuple[float, float]  # half lengths, the longer first; 0 where the points have no spread
    angle: float  # of the longer axis against the first coordinate, in degrees from -90 to 90
    polygon: tuple[tuple[float, float], ...]


def moments(points: Array) -> Array:
    """(n, 2) -> (n, 6): what can be summed over any captions to give count, mean and covariance."""
    x, y = points.T
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)


def mean_and_covariance(sums: Array) -> tuple[Array, Array]:
    """(..., 6) sums of moments -> (..., 2), (..., 2, 2); NaN mean for no points, zero covariance for one."""
    count, first, second = sums[..., :1], sums[..., 1:3], sums[..., [[3, 4], [4, 5]]]
    mean = np.divide(first, count, out=np.full_like(first, np.nan), where=count > 0)
    scatter = second - first[..., :, None] * mean[..., None, :]
    return mean, np.where(count[..., None] > 1, scatter / np.maximum(count[..., None] - 1, 1), 0.0)


def half_axes(covariance: Array, size: float) -> tuple[Array, Array]:
    """Lengths (..., 2), the longer first, and their directions as the columns of (..., 2, 2)."""
    values, vectors = np.linalg.eigh(covariance)
    return size * np.sqrt(np.maximum(values[..., ::-1], 0.0)), vectors[..., ::-1]


def outline(mean: Array, covariance: Array, size: float) -> Array:
    """(..., 2), (..., 2, 2) -> (..., CORNERS, 2), counter-clockwise or clockwise as the axes fall."""
    lengths, directions = half_axes(covariance, size)
    turns = np.linspace(0.0, 2 * math.pi, CORNERS, endpoint=False)
    circle = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    return mean[..., None, :] + circle @ (directions * lengths[..., None, :]).swapaxes(-1, -2)


def ellipse(points: Array, size: float = SIZE) -> Ellipse:
    centre = points.mean(axis=0)  # moments about the centre: no digits lost far from the origin
    _, covariance = mean_and_covariance(moments(points - centre).sum(axis=0))
    lengths, directions = half_axes(covariance, size)
    angle = math.degrees(math.atan2(directions[1, 0], directions[0, 0]))
    x, y = centre.tolist()
    major, minor = lengths.tolist()
    polygon = tuple((one, other) for one, other in outline(centre, covariance, size).tolist())
    return Ellipse((x, y), (major, minor), angle - 180 * round(angle / 180), polygon)


def overlap(reference: Array, machine: Array, size: float) -> Array:
    """Sums of moments (..., 6) of two clouds -> (...): the share of the machine's ellipse inside the reference's.

    NaN where either cloud is flat: a share of no area is undefined. The share is the same in all units of the axes.
    """
    means, covariances = mean_and_covariance(np.stack(np.broadcast_arrays(reference, machine)))
    solid = (half_axes(covariances, size)[0][..., 1] > FLAT).all(axis=0) & ~np.isnan(means).any(axis=(0, -1))
    found = np.full(solid.shape, np.nan)
    wanted, made = shapely.polygons(outline(means[:, solid], covariances[:, solid], size))
    found[solid] = np.minimum(shapely.area(shapely.intersection(wanted, made)) / shapely.area(made), 1.0)
    return found
