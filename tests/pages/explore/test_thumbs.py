"""Small pictures on cards: made from the data set's own images, none where an image is bad, nobody else's ever."""

from __future__ import annotations

import base64
import io

from PIL import Image

from capeval_core.io.dataset import DataSet
from capeval_core.io.images import CARD
from pages.explore import thumbs
from tests.pages.explore.made import captions


def picture(colour: str, kind: str = "JPEG", size: tuple[int, int] = (900, 600)) -> bytes:
    target = io.BytesIO()
    Image.new("RGB", size, colour).save(target, kind)
    return target.getvalue()


def shown(text: str) -> Image.Image:
    assert text.startswith(thumbs.PREFIX)
    return Image.open(io.BytesIO(base64.b64decode(text.removeprefix(thumbs.PREFIX))), formats=["JPEG"])


def test_it_is_small() -> None:
    data = DataSet("a", tuple(captions(2)), images={"i0": picture("red", "PNG")})
    found = shown(thumbs.thumbnail(data, "i0"))
    assert found.size == (CARD, round(CARD * 2 / 3))
    assert len(thumbs.thumbnail(data, "i0")) < 20_000


def test_no_image_or_a_bad_one_gives_a_card_without() -> None:
    svg = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"
    bad = {"i0": svg, "i1": picture("red")[:200], "i2": b""}
    data = DataSet("a", tuple(captions(8)), images=bad)
    assert [thumbs.thumbnail(data, f"i{number}") for number in range(4)] == ["", "", "", ""]


def test_equal_names_are_not_equal_pictures() -> None:
    """Two visitors with the same captions and image names each see their own."""
    one = DataSet("a", tuple(captions(2)), images={"i0": picture("red")})
    two = DataSet("a", tuple(captions(2)), images={"i0": picture("blue")})
    red, blue = (shown(thumbs.thumbnail(data, "i0")).getpixel((5, 5)) for data in (one, two))
    assert isinstance(red, tuple)
    assert isinstance(blue, tuple)
    assert red[0] > 200 > 100 > red[2]
    assert blue[2] > 200 > 100 > blue[0]
