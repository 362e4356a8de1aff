"""Draw the sample scenes: `python assets/samples/draw.py [--to FOLDER] [SCENE ...]` writes one WEBP for each."""

from __future__ import annotations

import argparse
from pathlib import Path

from canvas import Canvas
from scenes import SCENES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=f"default: all ({', '.join(SCENES)})")
    parser.add_argument("--to", type=Path, default=Path(__file__).parent, help="folder to write to")
    chosen = parser.parse_args()
    if unknown := set(chosen.scenes) - set(SCENES):
        parser.error(f"no scene {', '.join(sorted(unknown))}; there are {', '.join(SCENES)}")
    chosen.to.mkdir(parents=True, exist_ok=True)
    for name in chosen.scenes or SCENES:
        canvas = Canvas()
        SCENES[name](canvas)
        canvas.finished().save(chosen.to / f"{name}.webp", quality=86, method=6)


if __name__ == "__main__":
    main()
