"""Captions to learn from, made up: an image is a thing that does something somewhere, told in several ways."""

from __future__ import annotations

from itertools import islice, product

THINGS = {"dog": "puppy", "man": "guy", "cat": "kitten", "bus": "coach"}
DEEDS = ("runs", "waits", "rests", "moves")
PLACES = ("on the beach", "in the snow", "near a house", "under a tree")


def captions(images: int = 40) -> dict[str, tuple[str, ...]]:
    """Five captions of each image."""
    found: dict[str, tuple[str, ...]] = {}
    for thing, deed, place in islice(product(THINGS, DEEDS, PLACES), images):
        other = THINGS[thing]
        found[f"{thing} {deed} {place}"] = (
            f"A {thing} {deed} {place}.",
            f"the {other} {deed} {place}",
            f"{place}, a {thing} {deed}",
            f"a {other} that {deed}",
            f"one {thing} {place}",
        )
    return found
