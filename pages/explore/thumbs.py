"""Small pictures for cards, made when they are first shown; the last thousands are kept, found by content only."""

from __future__ import annotations

import base64
from functools import cache

from capeval_core import InvalidInput
from capeval_core.io import images
from capeval_core.io.dataset import DataSet
from pages.work.memory import Memory

MOST = 30_000_000  # bytes of all visitors' small pictures together
PREFIX = "data:image/jpeg;base64,"


@cache
def _made() -> Memory[str]:
    return Memory(MOST)


def thumbnail(data: DataSet, image: str) -> str:
    """As an address that holds the picture itself; empty where there is none, or a damaged one."""
    address = (data.digest, image)
    found = _made().get(address)
    if found is None:
        try:
            found = PREFIX + base64.b64encode(images.thumbnail(data.original(image))).decode()
        except (KeyError, InvalidInput):  # `in` would decode the whole image
            found = ""
        _made().put(address, found, max(len(found), 1))
    return found
