"""A workspace's captions and metrics in a link: compressed JSON, base64url. The image stays at home."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from dataclasses import replace
from urllib.parse import urlsplit

from capeval_core import InvalidInput
from capeval_core.io.workspace import StoredWorkspace, from_json

PARAMETER = "w"
MAX_LINK = 4_000  # characters: what chat programs and proxies let through
MAX_UNPACKED = 200_000


def encode(workspace: StoredWorkspace) -> str | None:
    """The link's parameter, or None when it would be too long to be passed on."""
    text = json.dumps(replace(workspace, credit="").to_json(), ensure_ascii=False, separators=(",", ":"))
    packed = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    return packed if len(packed) <= MAX_LINK else None


def decode(parameter: str) -> StoredWorkspace:
    """What a link carries; InvalidInput when it was cut, altered or inflated."""
    if len(parameter) > MAX_LINK:
        raise _invalid(f"at most {MAX_LINK} characters", str(len(parameter)))
    try:
        packed = base64.b64decode(parameter.encode("ascii") + b"=" * (-len(parameter) % 4), b"-_", validate=True)
        unpack = zlib.decompressobj()
        data = unpack.decompress(packed, MAX_UNPACKED)
        if unpack.unconsumed_tail or not unpack.eof:
            raise _invalid("a whole link", "one that was cut or inflated")
        content = json.loads(data)
    except (binascii.Error, zlib.error, ValueError, RecursionError) as error:
        raise _invalid("a link made by CapEval", "one that was cut or altered") from error
    return from_json(content)


def is_local(address: str) -> bool:
    """Does this address mean another machine wherever it is opened?"""
    host = urlsplit(address).hostname or ""
    return host in ("", "localhost", "::1") or host.startswith("127.") or host.endswith(".localhost")


def _invalid(expected: str, found: str) -> InvalidInput:
    return InvalidInput("this link cannot be opened", expected=expected, found=found)
