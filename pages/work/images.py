"""Images from strangers: decoded from an allow-list of formats, sized before they are unpacked, kept small."""

from __future__ import annotations

import io
import warnings

from PIL import Image, ImageOps, UnidentifiedImageError

from capeval_core import InvalidInput

FORMATS = ("PNG", "JPEG", "WEBP")
MAX_BYTES = 10_000_000
MAX_PIXELS = 40_000_000
SHOWN = 1_200  # pixels of the longer side


def read_image(data: bytes) -> bytes:
    """The picture upright, at most 1,200 pixels wide or high, as a fresh JPEG (PNG where it is see-through)."""
    if len(data) > MAX_BYTES:
        raise _invalid(f"at most {MAX_BYTES // 1_000_000} MB", f"{len(data) / 1e6:.1f} MB")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # our own limit, just below, is lower
            picture = Image.open(io.BytesIO(data), formats=FORMATS)
            width, height = picture.size
            if width * height > MAX_PIXELS:
                raise _invalid(f"at most {MAX_PIXELS // 1_000_000} million pixels", f"{width} x {height}")
            picture.draft("RGB", (SHOWN, SHOWN))  # a large JPEG is decoded at a fraction of its size
            # Only the picture is kept: no place, no camera, nothing hidden after its end.
            return _encode(ImageOps.exif_transpose(picture))
    except Image.DecompressionBombError as error:  # Pillow's own limit, when it reads the size
        raise _invalid(f"at most {MAX_PIXELS // 1_000_000} million pixels", "many more") from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise _invalid("a PNG, JPEG or WEBP image", "a file that is none, or a damaged one") from error


def _encode(picture: Image.Image) -> bytes:
    picture.thumbnail((SHOWN, SHOWN))
    see_through = picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info
    target = io.BytesIO()
    if see_through:
        picture.convert("RGBA").save(target, "PNG")
    else:
        picture.convert("RGB").save(target, "JPEG", quality=88)
    return target.getvalue()


def _invalid(expected: str, found: str) -> InvalidInput:
    return InvalidInput("this image cannot be used", expected=expected, found=found)
