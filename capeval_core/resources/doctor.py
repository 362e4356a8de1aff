"""The state of every resource, for `capeval resources` and the Guide page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from capeval_core.resources import available, device, files, paraphrases


@dataclass(frozen=True, slots=True)
class Report:
    name: str
    what: str
    state: str
    sound: bool
    where: str
    size: int
    licence: str
    fix: str = ""


OWN = {available.VECTORS: "word vectors", available.MODELS: "transformers", available.TRAINED: "trained networks"}


def examine() -> list[Report]:
    return [*map(_file, files.RESOURCES.values()), *_named(), _index(), _device()]


def _file(resource: files.Resource) -> Report:
    path, state = files.find(resource), files.state(resource)
    sound = state not in ("missing", "checksum differs")
    return Report(
        name=resource.name,
        what=resource.what,
        state=state,
        sound=sound,
        where=str(path or f"{resource.package}/{resource.path}"),
        size=path.stat().st_size if path else 0,
        licence=resource.licence,
        fix="" if sound else resource.fix,
    )


def _named() -> Iterator[Report]:
    """What the person who started the app offers its visitors. The Guide shows this, so it names no path."""
    for variable, entry in available.named():
        yield Report(
            name=entry.name,
            what=f"{OWN[variable]} of your own",
            state=f"{len(entry.found)} found" if entry.found else "missing",
            sound=bool(entry.found),
            where=f"${variable}",
            size=0,
            licence="-",
            fix="" if entry.found else f"correct the path in {variable}: a file, or a folder that holds some",
        )


def _index() -> Report:
    found = paraphrases.describe()
    return Report(
        name="meteor-index",
        what="index of METEOR's paraphrases; built from them at first use",
        state=found.state,
        sound=found.state != "damaged",  # not built yet is no fault: the first METEOR score builds it
        where=str(found.path),
        size=found.size,
        licence="as meteor-paraphrases",
        fix="" if found.state == "ok" else "python -m capeval_core resources rebuild",
    )


def _device() -> Report:
    return Report(
        name="device",
        what="where models run (auto: cuda, mps, cpu)",
        state=device.choose("auto"),
        sound=True,
        where="-",
        size=0,
        licence="-",
    )
