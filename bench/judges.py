"""Measures what the Judges page shows first: every metric against people on the four public data sets.

Reads ../shared (the data and JUDGES.md), writes assets/judges/measured.json. Scores are kept in the cache folder.

    python -m bench.judges [--shared FOLDER] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from bench import judged, judges_published, judges_why
from capeval_core import registry
from capeval_core.analysis import judging, stored_judging
from capeval_core.analysis.judging import Judging, Settings
from capeval_core.io import presets
from capeval_core.io.writers import plain
from capeval_core.version import VERSION

ROOT = Path(__file__).parents[1]
OUT = ROOT / "assets" / "judges" / "measured.json"
DIGITS = 5  # significant ones


@dataclass(frozen=True)
class Source:
    """A data set as the page names it, by which preset, and where its files lie."""

    key: str
    preset: str
    folder: str
    votes: str = "winner"


SOURCES = (
    Source("flickr8k-expert", "flickr8k-expert", "flickr8k"),
    Source("flickr8k-cf", "flickr8k-cf", "flickr8k"),
    Source("composite", "composite", "judgements"),
    Source("pascal50s", "pascal50s", "judgements"),
    Source("pascal50s-11", "pascal50s", "judgements", "winner_11_votes"),
)


def measure(source: Source, shared: Path) -> Judging:
    preset = presets.PRESETS[source.preset]
    read = partial(presets.pascal50s, winner=source.votes) if source.preset == "pascal50s" else preset.read
    people = read(shared / "data" / source.folder)
    scores = judged.score(source.preset, people.data.items)
    settings = Settings(preset.way or "flatten", preset.headline)
    found = judging.judge(
        people.data.items,
        scores.values,
        ratings=people.data.ratings or (),
        pairs=people.pairs,
        settings=settings,
    )
    line = preset.line(found.rows).replace("48 votes", "11 votes" if source.votes != "winner" else "48 votes")
    protocol = f"{line}; intervals: 95 %, {settings.samples:,} samples of images"
    stand_ins = {key: one.badge for key, one in scores.stand_ins.items()}
    return replace(found, protocol=protocol, signatures=scores.signatures, stand_ins=stand_ins)


def rounded(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: rounded(value) for name, value in part.items()}
    if isinstance(part, list | tuple):
        return [rounded(value) for value in part]
    return float(f"{part:.{DIGITS}g}") if isinstance(part, float) else part


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    content: dict[str, Any] = {
        "version": VERSION,
        "keys": list(registry.keys()),
        "published": judges_published.read(given.shared / "JUDGES.md"),
        "judgings": {},
    }
    for source in SOURCES:
        found = measure(source, given.shared)
        content["judgings"][source.key] = stored_judging.dump(found)
        print(found.protocol, flush=True)
    content["why"] = judges_why.measure(given.shared)
    given.out.parent.mkdir(exist_ok=True)
    given.out.write_text(json.dumps(plain(rounded(content)), indent=None) + "\n", encoding="utf-8")
    print(given.out)


if __name__ == "__main__":
    main()
