"""Measures how people's captions spread by meaning, style and grammar; Inspect draws their ellipse from it.

Reads ../shared/data (karpathy_a's human captions), writes capeval_core/data/people.json. About two minutes.
"""

from __future__ import annotations

import json

from bench.guide_figures import human_items
from capeval_core import evaluate
from capeval_core.analysis.people import FILE, KEYS, describe


def main() -> None:
    items = human_items()
    found = evaluate(items, KEYS)
    others = " or ".join(map(str, sorted({len(item.references) for item in items})))
    source = f"{len(items):,} captions that people wrote of COCO images, each scored against {others} others"
    made = describe(found.scores, found.signatures, source)
    FILE.write_text(json.dumps(made) + "\n", encoding="utf-8")
    print(FILE, made["captions"], made["scales"], made["covariance"])


if __name__ == "__main__":
    main()
