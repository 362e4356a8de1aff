"""Times SPICE on 2,500 images (1 candidate, 4 references) from the command's start to its written file.

The original is not run here, since its models are not on any package registry. Its parser read about 46 captions a
second on one core of another machine (SPICE 1.0, the same captions): the last line gives that figure beside ours and no
ratio, since the machines differ.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from pathlib import Path

from bench.coco import DATA
from bench.scale import measure

ORIGINAL_CAPTIONS_A_SECOND = 46  # on one core of another machine


def main() -> None:
    with gzip.open(DATA, "rt") as file:
        rows = [row for row in map(json.loads, file) if row["system"] == "m2"]
    captions = {text for row in rows for text in (row["caption"], *row["references"])}
    with tempfile.TemporaryDirectory() as folder:
        seconds = {}
        for count in (len(rows) // 5, len(rows)):
            path = Path(folder) / f"{count}.jsonl"
            path.write_text("".join(json.dumps(row) + "\n" for row in rows[:count]))
            found = measure(path, Path(folder), "spice")
            seconds[count] = found.seconds
            print(f"SPICE of {count:,} images: {found.seconds:.1f} s, peak {found.shared:.2f} GB", flush=True)
    few, many = seconds.values()
    each = (many - few) / (len(rows) * 4 / 5)
    print(f"each further image takes {each * 1000:.1f} ms; start and model take {many - each * len(rows):.1f} s")
    print(
        f"{len(captions) / many:.0f} distinct captions a second on this machine, start and scoring included; the "
        f"original's parser alone read {ORIGINAL_CAPTIONS_A_SECOND} a second on one core of another machine"
    )


if __name__ == "__main__":
    main()
