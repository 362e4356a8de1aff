"""Lists of words, written as text."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Nouns that name where a picture is taken.
SCENES = word_set(
    "ground floor mud ice surf bus train boat street road sidewalk park beach field lake river ocean sea water "
    "snow forest wood woods mountain hill trail path city town village market store shop mall restaurant cafe bar "
    "kitchen room bedroom bathroom office classroom school gym library museum church temple stage arena stadium "
    "court rink track yard backyard garden lawn grass playground pool pond stream creek desert canyon cave cliff "
    "valley meadow pasture farm barn ranch alley alleyway highway bridge dock pier harbor shore coast station "
    "airport platform subway tunnel plaza square courtyard patio porch deck balcony rooftop hallway lobby garage "
    "workshop factory warehouse studio theater auditorium hall ballroom nightclub club pub party wedding carnival "
    "fair festival parade concert circus zoo aquarium jungle swamp dune sand dirt intersection crosswalk corner "
    "driveway pavement lot area countryside building house home apartment hospital laboratory lab bakery "
    "supermarket grocery salon barbershop bowling campsite camp tent resort hillside mountainside slope waterfall "
    "ramp diamond racetrack speedway course canal bay island orchard vineyard greenhouse cemetery graveyard "
    "gallery arcade casino hotel lounge cafeteria diner"
)
