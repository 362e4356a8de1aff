"""The phrase bank: what is put into captions. Every phrase here was written for CapEval.

Extra phrases say nothing that a picture could contradict, or carry the condition under which they are true. Persons and
places are common ones of photographs, in number and preposition ready to stand where another stood.
"""

from __future__ import annotations

from capeval_core.perturb.wordlists import word_set

# Extra phrases, by what they say. One of a kind is enough: `right now at the moment` says it twice, and `right now at
# that time` contradicts itself. Several stand in this order.
OUTDOORS = (
    "outdoors", "in the open air", "under the open sky", "out in the open", "out in the open air", "out of doors",
    "in an outdoor setting", "in the great outdoors",
)  # fmt: skip
INDOORS = ("indoors", "under a roof", "within four walls", "in an indoor setting", "in an enclosed space")
IN_VIEW = ("in plain view", "in full view", "in plain sight", "for all to see", "for everyone to see")
NOW = (
    "at this moment", "at the moment", "right now", "at this very moment", "at this point in time", "just now",
    "at present", "at the present moment", "at this particular moment", "at this instant",
)  # fmt: skip
SHOWN = (
    "in this picture", "in the photo", "in this photo", "in this scene", "as seen here", "as the picture shows",
    "as shown in the image", "in the given image", "in this shot", "in the picture shown", "in this photograph",
    "in the snapshot", "in the image", "as can be seen here", "in the picture",
)  # fmt: skip
SEEMS = (
    ", it seems", ", as far as one can tell", ", as it appears", ", by the look of it", ", from the look of it",
    ", so it seems", ", to all appearances", ", as it seems",
)  # fmt: skip
DAYTIME = ("during the day", "in the daytime", "in the light of day", "by daylight", "in broad daylight")  # or NOW
# Whoever says one of these has said it already, or may be contradicted.
SAYS_TIME = word_set("night nighttime evening dark dusk sunset dawn sunrise morning noon midnight")
SUN = word_set("sunny sun sunlight sunshine daylight sunglasses day")

SINGULAR = {  # head noun -> phrase, by whom "his" and "her" may speak of
    "m": ("a boy", "an old man", "a young man", "a fireman", "a priest", "a bearded man", "a businessman", "a cowboy",
          "a man in a wheelchair", "a policeman", "a groom", "a toddler boy", "a waiter", "a tall gentleman"),
    "f": ("a girl", "an old woman", "a young woman", "a nurse", "a bride", "a little girl", "a businesswoman",
          "a ballerina", "a waitress", "a pregnant woman", "a teenage girl", "a blond woman", "an elderly lady"),
    "n": ("a baby", "a clown", "a soldier", "a chef", "a construction worker", "a police officer", "a toddler",
          "a hockey player", "a surfer", "a cyclist", "a street musician", "a skateboarder", "a doctor",
          "a farmer", "a teacher", "a ballet dancer", "a basketball player", "a mechanic", "a painter"),
}  # fmt: skip
PLURAL = {
    "m": ("three boys", "two old men", "several young men", "a group of soldiers", "four firemen", "two businessmen"),
    "f": ("two girls", "three women", "several nuns", "a group of cheerleaders", "four ballerinas", "two old women"),
    "n": ("two toddlers", "several soldiers", "a group of children", "three clowns", "two police officers",
          "many tourists", "a family of four", "five construction workers", "three surfers", "a team of doctors"),
}  # fmt: skip

PLACES = {  # preposition -> places that go with it
    "in": ("a kitchen", "a classroom", "a swimming pool", "a forest", "a desert", "a library", "a hospital",
           "a supermarket", "a subway car", "a parking lot", "a wheat field", "the snow", "a church", "a barn",
           "an office", "a crowded stadium", "a laboratory", "the ocean", "a bathroom", "a garden"),
    "on": ("a beach", "a rooftop", "a frozen lake", "a tennis court", "a stage", "a mountain top", "a boat dock",
           "a busy street", "a farm", "a train platform", "a ski slope", "a wooden bridge", "a football field",
           "a balcony", "a gravel road"),
    "at": ("a carnival", "a train station", "an airport", "a zoo", "a wedding", "a gas station", "a skate park",
           "a construction site", "a restaurant", "a concert", "a bus stop", "the beach", "a flea market"),
    "through": ("a forest", "a corn field", "a city street", "a tunnel", "the desert", "a market", "deep snow",
                "a train station", "an airport"),
    "down": ("a snowy hill", "a city street", "a long hallway", "a mountain trail", "a dirt road", "a sandy dune"),
    "across": ("a wooden bridge", "a frozen lake", "a busy street", "a football field", "a parking lot", "a desert"),
    "along": ("a sandy beach", "a mountain trail", "a river", "a busy street", "a railroad track", "a canal"),
    "near": ("a lake", "a church", "a fountain", "a train station", "a barn", "a waterfall", "a factory", "a castle"),
    "over": ("a river", "a desert", "a parking lot", "a snowy field", "a city", "a canyon"),
    "by": ("a lake", "a church", "a river", "a barn", "a fountain", "a gas station", "a hospital"),
    "outside": ("a church", "a hospital", "a supermarket", "a barn", "a theater", "a school"),
    "inside": ("a church", "a barn", "a supermarket", "a subway car", "a tent", "a museum"),
    "beside": ("a river", "a church", "a train track", "a swimming pool", "a barn"),
    "up": ("a snowy hill", "a flight of stairs", "a sand dune", "a mountain trail"),
    "around": ("a lake", "a race track", "a fountain", "a town square", "a campsite"),
    "into": ("a church", "a tunnel", "a swimming pool", "a supermarket", "a forest", "a subway car"),
    "onto": ("a stage", "a train platform", "a beach", "a rooftop"),
    "from": ("a rooftop", "a church", "a beach", "a train station"),
    "towards": ("a church", "a forest", "a barn", "the ocean"),
    "under": ("a bridge", "a circus tent", "a waterfall"),
    "behind": ("a church", "a barn", "a gas station"),
    "above": ("a river", "a desert", "a city"),
    "past": ("a church", "a barn", "a gas station", "a lake"),
    "among": ("the ruins", "the dunes"),
}  # fmt: skip

# Who stands in one of these may well stand in another of the same row, too: it would not be wrong enough.
ALIKE_PLACES = tuple(
    map(
        word_set,
        (
            "street road roadway sidewalk pavement intersection corner crosswalk highway driveway alley alleyway path "
            "trail lot parking square plaza city town village",
            "beach shore sand coast ocean sea surf water lake river pond pool stream creek harbor dock pier bay canal",
            "grass lawn yard field meadow park garden pasture backyard courtyard countryside farm hill hillside",
            "forest wood woods jungle mountain mountainside hill hillside trail path slope cliff valley canyon rock",
            "snow ice slope mountain mountainside hill hillside lake",
            "room kitchen bedroom bathroom house home apartment porch patio deck balcony",
            "store shop market mall supermarket grocery bakery",
            "restaurant cafe bar pub diner cafeteria club nightclub lounge party",
            "stage theater auditorium hall arena stadium concert club",
            "court rink track stadium arena gym field course racetrack speedway diamond",
            "train station platform subway track railroad",
            "school classroom office library laboratory lab workshop studio",
            "church temple cathedral wedding",
            "carnival fair festival parade circus park playground",
            "desert dune sand dirt mud",
        ),
    )
)

# One of these may well be another of the same row.
ALIKE_PEOPLE = tuple(
    map(
        word_set,
        (
            "child kid youngster toddler baby infant boy", "child kid youngster toddler baby infant girl",
            "man male guy gentleman fellow dude", "woman female lady", "male boy man", "female girl woman",
            "teenager teen youth adolescent boy man", "teenager teen youth adolescent girl woman",
            "player athlete", "musician guitarist drummer performer", "police policeman officer cop",
            "couple man woman", "parent mother father", "worker laborer",
        ),
    )
)  # fmt: skip
# Nouns that are said with one preposition, or with few, however a caption has it.
_AROUND = ("near", "outside", "around", "behind", "past", "by", "beside")
_INTO = ("in", "inside", "into", "through", *_AROUND)
GO_WITH: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        word_set(
            "kitchen bedroom bathroom office classroom room town village forest wood woods desert garden yard backyard "
            "courtyard barn church building house hallway garage tunnel cave valley museum library pool snow"
        ),
        _INTO,
    ),
    **dict.fromkeys(word_set("festival concert wedding party carnival circus"), ("at", "near", "outside")),
    **dict.fromkeys(word_set("train bus boat floor ground area corner lot track raft"), ()),
    "street": (*_INTO, "on", "down", "along", "across", "up"),
    "city": (*_INTO, "over", "above"),
    "park": ("in", "at", "into", "through", "near", "outside"),
}

# What a person does somewhere else entirely: follows a person, with `is` or `are` put in.
DOINGS = (
    "brushing teeth in a small bathroom", "slicing onions in a restaurant kitchen", "waiting for a train at night",
    "riding a camel through the desert", "changing a flat tire by the highway", "picking apples in an orchard",
    "reading a newspaper on the subway", "milking a cow in a barn", "playing chess in a library",
    "feeding pigeons on a town square", "scuba diving near a coral reef", "sewing a quilt by the window",
    "building a snowman in a front yard", "typing at a computer in an office", "paddling a raft through rapids",
    "blowing out candles on a birthday cake", "welding a pipe in a workshop", "planting roses in a garden",
)  # fmt: skip
# What somebody else does in a place: goes before the preposition and the place.
OTHERS = (
    "an orange cat is sleeping", "two dogs are fighting over a toy", "a waitress is serving drinks",
    "an old woman is knitting a scarf", "a brass band is playing", "three children are flying a kite",
    "a white horse is pulling a cart", "a clown is juggling four pins", "a mechanic is fixing a motorcycle",
    "several nuns are singing", "a photographer is setting up a tripod", "two boys are wrestling",
    "a magician is showing a card trick", "a soldier is polishing his boots", "a girl is blowing soap bubbles",
    "a baby is crying", "a painter is mixing colors", "four men are carrying a piano",
)  # fmt: skip
