"""Images from strangers: read small, matched to their captions, or refused in one line."""

from __future__ import annotations

import gc
import io
import tempfile
from pathlib import Path

import pytest
from PIL import Image

from capeval_core import InvalidInput
from capeval_core.io import images
from capeval_core.io.images import Pictures, match
from tests.io.hostile import SVG, bomb, photograph, picture

KINDS = ["PNG", "JPEG", "WEBP"]


@pytest.mark.parametrize("kind", KINDS)
def test_images_are_read_small(kind: str) -> None:
    with Image.open(io.BytesIO(images.read_image(picture(kind, (3_000, 1_500))))) as found:
        assert found.size == (1_200, 600)


@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_image_passes_the_check(kind: str) -> None:
    images.check_image(photograph(kind))


BAD = {
    "20 MB": (bytes(20_000_000), "at most 10 MB"),
    "bomb": (bomb(), "at most 40 million pixels"),
    "SVG": (SVG, "a PNG, JPEG or WEBP"),
    "text": (b"just text", "a PNG, JPEG or WEBP"),
    "GIF": (picture("GIF"), "a PNG, JPEG or WEBP"),
    "TIFF": (picture("TIFF"), "a PNG, JPEG or WEBP"),
    "empty": (b"", "a PNG, JPEG or WEBP"),
    **{f"half a {kind}": (photograph(kind)[: len(photograph(kind)) // 2], "a PNG, JPEG or WEBP") for kind in KINDS},
    **{f"the start of a {kind}": (photograph(kind)[:60], "a PNG, JPEG or WEBP") for kind in KINDS},
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_image_is_refused(name: str) -> None:
    data, said = BAD[name]
    for read in (images.read_image, images.check_image):
        with pytest.raises(InvalidInput, match=said):
            read(data)


def test_an_image_is_matched_by_path_name_stem_or_cocos_number() -> None:
    files = ["val/COCO_val2014_000000391895.jpg", "b/7.png", "000000000042.jpg", "dog.webp", "cat.png", "cat.jpg"]
    found = match(
        ["391895", "b/7.png", "42", "dog", "dog.webp", "cat.jpg", "COCO_train2014_000000000042.jpg", "9", "", "DOG"],
        {name: name for name in files},
    )
    assert found == {
        "391895": files[0],
        "b/7.png": files[1],
        "42": files[2],
        "COCO_train2014_000000000042.jpg": files[2],
        "dog": files[3],
        "dog.webp": files[3],
        "cat.jpg": files[5],
    }
    with pytest.raises(InvalidInput, match=r"image 'cat': two files match; found cat\.png and cat\.jpg"):
        match(["cat"], {name: name for name in files})


def test_numbers_at_the_end_of_other_names_do_not_match() -> None:
    assert match(["1"], {"photo_1.jpg": 1, "a1.jpg": 2}) == {}


def test_pictures_lie_on_disk_without_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    found = Pictures()
    found.add(["1", "2"], photograph("PNG"))
    found.add(["3"], picture("JPEG"))
    assert list(tmp_path.iterdir()) == []
    assert list(found) == ["1", "2", "3"]
    assert found.original("2") == photograph("PNG")
    assert found["3"].startswith(b"\xff\xd8")
    with pytest.raises(KeyError):
        found["4"]
    file = found._file
    del found
    gc.collect()
    assert file.closed
