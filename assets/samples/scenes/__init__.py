"""The drawn scenes by name."""

from __future__ import annotations

from collections.abc import Callable

from canvas import Canvas

from scenes import animals, food, rain, rooms, sport, travel, water, winter

SCENES: dict[str, Callable[[Canvas], None]] = {
    "balloons": travel.balloons,
    "basketball": sport.basketball,
    "canoe": water.canoe,
    "cyclist": sport.cyclist,
    "dog": animals.dog,
    "elephants": animals.elephants,
    "lighthouse": rain.lighthouse,
    "livingroom": rooms.livingroom,
    "pizza": food.pizza,
    "skier": winter.skier,
    "snowman": winter.snowman,
    "surfer": water.surfer,
    "train": travel.train,
    "umbrella": rain.umbrella,
}
