"""When two nouns may name the same thing: one word, a synonym, a wider word, a garment of the same place, a person."""

from __future__ import annotations

from functools import lru_cache

from capeval_core.perturb import thesaurus
from capeval_core.perturb.bank import ALIKE_PLACES
from capeval_core.perturb.chunks import names_people
from capeval_core.perturb.hypernyms import hypernyms
from capeval_core.perturb.wordlists import word_set
from capeval_core.resources import wordnet

# Said of one thing by different people.
_FAMILIES = tuple(
    map(
        word_set,
        (
            "shirt t-shirt tshirt tee top jersey sweater sweatshirt blouse jacket coat vest hoodie tank-top tank "
            "pullover uniform outfit suit clothing clothes attire clothe robe blazer parka windbreaker costume gear",
            "hat cap helmet beanie hood headband bandanna bandana headscarf turban",
            "pants jeans trousers shorts slacks pant short jean trouser leggings overalls",
            "dress gown skirt robe outfit costume sari",
            "shoe shoes boot boots sneaker sneakers sandal footwear cleat",
            "bike bicycle motorcycle motorbike moped scooter cycle dirtbike bmx",
            "car vehicle automobile truck van suv taxi cab jeep sedan pickup",
            "boat ship canoe kayak raft sailboat vessel rowboat ferry",
            "couch sofa chair seat bench loveseat armchair recliner stool",
            "table desk counter countertop stand",
            "plane airplane aeroplane jet aircraft airliner jetliner",
            "train locomotive engine tram trolley subway railcar",
            "phone cellphone telephone smartphone cell",
            "tv television screen monitor computer laptop",
            "plate dish bowl platter tray pan",
            "cup mug glass drink beverage",
            "street road sidewalk roadway pavement highway path trail intersection",
            "grass field lawn meadow pasture yard park grassland plain grassy",
            "ocean sea water wave waves surf lake beach river shore pond",
            "hill mountain slope mountainside hillside cliff snow",
            "ball baseball football soccer basketball softball volleyball frisbee disc disk",
            "bat racket racquet paddle",
            "dog puppy pup hound canine",
            "cat kitten kitty feline",
            "horse pony stallion foal",
            "cow cattle bull calf ox",
            "sheep lamb goat ram",
            "bird seagull gull pigeon duck goose parrot",
            "bear cub",
            "animal creature",
            "donut doughnut pastry bagel",
            "pizza slice",
            "food meal dish dinner lunch breakfast snack",
            "tree trees wood woods forest bush branch",
            "flower plant bouquet rose vase",
            "building structure house tower skyscraper church",
            "room living-room",
            "toilet urinal",
            "bathroom restroom",
            "fridge refrigerator",
            "bus coach double-decker",
            "sign stop-sign signpost",
            "light traffic-light stoplight signal",
            "suitcase luggage bag baggage backpack purse",
            "picture photo painting",
            "child kid baby toddler infant boy girl",
            "camera phone",
            "rock stone boulder cliff",
            "fire flame",
            "rope cable wire string",
            "stair step staircase steps",
            "instrument guitar violin drum saxophone accordion",
        ),
    )
)
_APART = {"toilet", "bathroom"}  # synonyms in WordNet; in captions one stands in the other
# What people have on.
WORN = word_set(
    "shirt t-shirt tshirt tee top jersey sweater sweatshirt blouse jacket coat vest hoodie tank uniform outfit suit "
    "clothing clothes attire robe pants jeans trousers shorts dress gown skirt costume gear hat cap helmet headphone "
    "headphones glass glasses sunglasses goggles tie mask shoe boot sock glove scarf apron watch light lights"
)
PLAIN_PEOPLE = word_set(
    "person people man woman boy girl guy lady gentleman male female child kid adult teenager teen youth someone "
    "somebody individual human folk crowd couple friend figure audience men women dude fellow youngster"
)
_BY_WORD: dict[str, tuple[frozenset[str], ...]] = {}
for _family in _FAMILIES:
    for _word in _family:
        _BY_WORD[_word] = (*_BY_WORD.get(_word, ()), _family)


@lru_cache(maxsize=1 << 17)
def same(one: str, other: str) -> bool:
    """One thing by the same word, a synonym or a word of one family."""
    if one == other:
        return True
    if {one, other} == _APART:
        return False
    if any(other in family for family in _BY_WORD.get(one, ())):
        return True
    if any(wordnet.kind(number) == "noun" for number in wordnet.synsets(one) & wordnet.synsets(other)):
        return True
    return other in thesaurus.mates(one, "N") or one in thesaurus.mates(other, "N")


def same_place(one: str, other: str) -> bool:
    """Whoever is at one of these may well be at the other, too."""
    return any(one in row and other in row for row in ALIKE_PLACES)


@lru_cache(maxsize=1 << 17)
def alike(one: str, other: str) -> bool:
    """The same thing, a wider or narrower word for it, or a part of a compound (skateboarder, skateboard)."""
    if same(one, other) or other in hypernyms(one) or one in hypernyms(other):
        return True
    if one in PLAIN_PEOPLE or other in PLAIN_PEOPLE:  # whatever kind of person: that is another error
        return names_people(one) and names_people(other)
    short, long = sorted((one, other), key=len)
    return len(short) >= 4 and (long.startswith(short) or long.endswith(short))
