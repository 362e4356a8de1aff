"""State as JSON text and back, by the types of its fields: what does not fit a field's type is not taken over."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from capeval_core import CapEvalError
from capeval_core.io.dataset import DataSet

WAYS = "kept as"  # in a field's metadata: how it is written and read, where its type does not say so
FILE = "file"  # {"file": digest} stands for bytes
PLAIN = (str, int, float, bool, NoneType)
# Messages are said once; a data set is kept as its files (work/dataset.py), and told apart by its digest.
LEFT_OUT = ("message",)


def written(state: Any, put: Callable[[bytes], str]) -> Any:
    """A dataclass of plain data as JSON; a field that holds anything else (a job, a function) is left out."""
    found = {}
    for field in dataclasses.fields(state):
        if field.name in LEFT_OUT:
            continue
        value, ways = getattr(state, field.name), field.metadata.get(WAYS)
        try:
            found[field.name] = ways[0](value) if ways else to_plain(value, put)
        except (TypeError, CapEvalError):
            continue
    return found


def fill(state: Any, content: Any, get: Callable[[str], bytes | None]) -> None:
    """The fields of `state` as they were written. What was chosen for another data set is not for this one."""
    if not isinstance(content, Mapping):
        return
    hints = get_type_hints(type(state))
    held = {name: getattr(state, name) for name in hints}
    if any(isinstance(value, DataSet) and content.get(name) != value.digest for name, value in held.items()):
        return
    for field in dataclasses.fields(state):
        name, ways = field.name, field.metadata.get(WAYS)
        if name in content and name not in LEFT_OUT and not isinstance(held[name], DataSet):
            try:
                setattr(state, name, ways[1](content[name]) if ways else from_plain(hints[name], content[name], get))
            except (TypeError, ValueError, CapEvalError):
                continue


def to_plain(value: Any, put: Callable[[bytes], str]) -> Any:
    if isinstance(value, PLAIN):
        return value
    if isinstance(value, bytes):
        return {FILE: put(value)}
    if isinstance(value, DataSet):
        return value.digest
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: to_plain(getattr(value, one.name), put) for one in dataclasses.fields(value)}
    if isinstance(value, dict):
        return [[to_plain(key, put), to_plain(one, put)] for key, one in value.items()]
    if isinstance(value, list | tuple):
        return [to_plain(one, put) for one in value]
    raise TypeError(f"{type(value).__name__} cannot be kept")


def from_plain(kind: Any, plain: Any, get: Callable[[str], bytes | None]) -> Any:
    """The value of this type; ValueError or TypeError where it is none."""
    origin, args = get_origin(kind), get_args(kind)
    if kind is object:
        return tuple(from_plain(object, one, get) for one in plain) if isinstance(plain, list) else plain
    if kind in PLAIN:
        return _scalar(kind, plain)
    if kind is bytes:
        return _bytes(plain, get)
    if origin in (Union, UnionType):
        return _any_of(args, plain, get)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        if not isinstance(plain, Mapping):
            raise ValueError(f"no fields for {kind.__name__}")
        hints = get_type_hints(kind)
        return kind(**{name: from_plain(hints[name], one, get) for name, one in plain.items()})
    if not isinstance(plain, list):
        raise ValueError(f"no list for {kind}")
    if origin is dict:
        return {from_plain(args[0], key, get): from_plain(args[1], one, get) for key, one in plain}
    if origin is list:
        return [from_plain(args[0], one, get) for one in plain]
    if origin is tuple:
        kinds = [args[0]] * len(plain) if args[1:] == (...,) else args
        return tuple(from_plain(one, value, get) for one, value in zip(kinds, plain, strict=True))
    raise TypeError(f"{kind} cannot be kept")


def _scalar(kind: Any, plain: Any) -> Any:
    if type(plain) is kind or (kind is float and type(plain) is int):
        return plain
    raise ValueError(f"no {kind.__name__}")


def _bytes(plain: Any, get: Callable[[str], bytes | None]) -> bytes:
    found = get(str(plain[FILE])) if isinstance(plain, Mapping) else None
    if found is None:
        raise ValueError("the file is not there any more")
    return found


def _any_of(kinds: tuple[Any, ...], plain: Any, get: Callable[[str], bytes | None]) -> Any:
    for kind in kinds:
        try:
            return from_plain(kind, plain, get)
        except (TypeError, ValueError):
            continue
    raise ValueError("fits none of its types")
