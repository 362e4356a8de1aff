"""Captions for practice, written by a small grammar of our own: a few hundred scenes, five different captions of each.

A scene has somebody, who looks like something, does something, and is somewhere. Each caption names some of this in
words of its own choice. The same seed gives the same scenes. Enough to watch a model learn; too little to ship one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

SCENES, CAPTIONS = 500, 5
SEED = 7
TRIES = 60  # to find a caption that is not there yet

# Ways to say the same thing, separated by bars.
PEOPLE = (
    "man|guy|gentleman", "woman|lady|young woman", "boy|kid|young boy", "girl|child|little girl",
    "cook|chef", "worker|builder", "police officer|officer", "farmer|man in work clothes", "soldier|man in uniform",
    "old man|elderly man", "old woman|elderly lady", "teenager|youth",
)  # fmt: skip
ANIMALS = ("dog|puppy|hound", "cat|kitten", "horse|pony", "sheep|lamb", "cow|calf", "duck|bird", "goat|kid goat")
CLOTHES = ("jacket|coat", "shirt|top", "hat|cap", "sweater|pullover", "scarf|shawl", "apron|smock", "vest|waistcoat")
COLOURS = ("red", "blue", "green", "yellow", "black", "white", "orange", "purple", "grey", "pink")
COATS = ("brown", "black", "white", "spotted", "grey", "golden")
DOINGS = (
    "rides a bicycle|cycles|is on a bike", "reads a book|is reading|looks into a book",
    "plays the guitar|makes music with a guitar|strums a guitar", "eats an apple|bites into an apple|has an apple",
    "throws a ball|tosses a ball|is about to throw a ball", "paints a fence|is painting a fence|puts paint on a fence",
    "carries a ladder|walks with a ladder|holds a ladder", "takes a photo|photographs something|holds a camera",
    "drinks coffee|holds a cup of coffee|sips from a cup", "flies a kite|holds the string of a kite|plays with a kite",
    "sells fruit|stands behind boxes of fruit|offers fruit", "washes a car|cleans a car|rubs soap on a car",
    "pushes a cart|moves a cart|walks behind a cart", "waters flowers|holds a watering can|takes care of flowers",
    "talks on the phone|holds a phone to one ear|makes a call", "climbs a rope|hangs on a rope|pulls at a rope",
)  # fmt: skip
DOINGS_OF_ANIMALS = (
    "sleeps|is asleep|lies with closed eyes", "runs|races along|is running fast", "drinks water|has a drink|laps water",
    "jumps over a log|leaps over a log|is in the air above a log",
    "chews a stick|bites a stick|has a stick in its mouth",
    "chases a butterfly|runs after a butterfly|hunts a butterfly", "shakes itself|is wet and shakes|throws off drops",
    "looks through a gate|stands behind a gate|waits at a gate",
)  # fmt: skip
PLACES = (
    "in a park|on the grass of a park|among the trees of a park", "on a beach|at the sea|on the sand by the sea",
    "in a busy street|on a street|between cars in a street", "in front of a brick house|by a brick wall|near a house",
    "on a bridge|on a bridge over a river|above a river", "in a market|between market stalls|at the market",
    "on a mountain path|high in the mountains|on a rocky path", "beside a lake|on the shore of a lake|near the water",
    "in a wide field|in a meadow|on open land", "in a yard|behind a house|in a small yard",
    "at a train station|on a platform|beside the tracks", "on a snowy hill|in the snow|on white ground",
)  # fmt: skip
TIMES = ("", "", "on a sunny day|in bright sunshine|in the sun", "in the rain|on a wet day|while it rains",
         "at night|in the dark|after sunset", "in the fog|on a misty morning|in thick mist")  # fmt: skip


def made_captions(scenes: int = SCENES, seed: int = SEED) -> dict[str, tuple[str, ...]]:
    """By scene five different captions; no two scenes are the same."""
    chance = random.Random(seed)
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    while len(found) < scenes:
        scene = _scene(chance)
        if scene not in found:
            found[scene] = _captions(scene, chance)
    return {f"scene {number}": captions for number, captions in enumerate(found.values(), 1)}


def _scene(chance: random.Random) -> tuple[str, ...]:
    """Who, look, doing, place, time: each as its ways to say it."""
    if chance.random() < 0.3:
        who, look, doing = chance.choice(ANIMALS), chance.choice(COATS), chance.choice(DOINGS_OF_ANIMALS)
        return who, look, doing, chance.choice(PLACES), chance.choice(TIMES)
    colour = chance.choice(COLOURS)
    look = "|".join(f"{colour} {one}" for one in chance.choice(CLOTHES).split("|"))
    return chance.choice(PEOPLE), look, chance.choice(DOINGS), chance.choice(PLACES), chance.choice(TIMES)


def _captions(scene: tuple[str, ...], chance: random.Random) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for _ in range(TRIES):
        found[_caption(scene, chance)] = None
        if len(found) == CAPTIONS:
            break
    return tuple(found)


def _caption(scene: tuple[str, ...], chance: random.Random) -> str:
    who, look, doing, place, time = (chance.choice(part.split("|")) for part in scene)
    article = chance.choice(("a", "a", "the"))
    named = f"{article} {who}"
    if scene[1] in COATS:
        named = f"{article} {look} {who}" if chance.random() < 0.8 else named
    elif chance.random() < 0.6:
        named = f"{named} {chance.choice(('in', 'with', 'wearing'))} {_one(look)}"
    parts = [named, doing]
    if chance.random() < 0.8:
        parts.append(place)
    if time and chance.random() < 0.6:
        parts.append(time)
    if len(parts) > 2 and chance.random() < 0.2:  # the place first: on a beach a man reads a book
        parts = [*parts[2:], *parts[:2]]
    return _written(parts)


def _one(thing: str) -> str:
    return f"{'an' if thing[0] in 'aeiou' else 'a'} {thing}"


def _written(parts: Sequence[str]) -> str:
    words = " ".join(parts).split()
    for place, word in enumerate(words[:-1]):
        if word == "a" and words[place + 1][0] in "aeiou":
            words[place] = "an"
    return " ".join(words)
