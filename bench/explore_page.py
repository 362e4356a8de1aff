"""How long Explore's page takes to answer a filter or another order with 10,000 captions and images; and its memory.

python -m bench.explore_page [--captions 10000]. Findings are made up (the page does not care whether they are true);
without a browser: what is measured is a whole run of the page's script, with the cards and their pictures in it.
"""

from __future__ import annotations

import argparse
import gc
import io
import resource
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

from capeval_core import CaptionItem
from capeval_core.explore.findings import CaptionFindings, Error, Exploration, WordSupport
from capeval_core.explore.kinds import KINDS
from capeval_core.explore.profile import profile
from capeval_core.io.dataset import DataSet
from capeval_core.io.images import Pictures
from pages.explore import state
from pages.explore.state import Explore
from pages.work import dataset, exploring
from pages.work.exploring import Explored
from pages.work.jobs import Outcome, jobs
from tests.pages import app as running

SYSTEMS = ("one", "two", "three", "four")
PHOTOS = 50  # different ones; each image is decoded for itself all the same
WORDS = ("dog", "grass", "wall", "boat", "table", "man", "kite", "train", "clock", "river", "pizza", "field")


def made(count: int) -> tuple[DataSet, Explored]:
    chance = np.random.default_rng(0)
    items, findings, pictures, photos = [], [], Pictures(), [photo(chance) for _ in range(PHOTOS)]
    for number in range(count):
        image, words = f"photo {number // len(SYSTEMS)}", chance.choice(WORDS, 5)
        people = tuple(f"a {one} near a {two} with a {words[0]}" for one, two in chance.choice(WORDS, (4, 2)))
        item = CaptionItem(image, f"a {' and a '.join(words)} {number}", people, SYSTEMS[number % len(SYSTEMS)])
        items.append(item)
        findings.append(found(item, chance))
        if number % len(SYSTEMS) == 0:
            pictures.add([image], photos[number // len(SYSTEMS) % PHOTOS])
    scores = {key: chance.random(count) for key in ("bleu_4", "rouge_l", "meteor", "cider", "spice", "bertscore")}
    data = DataSet("made.jsonl", tuple(items), scores, images=pictures)
    return data, Explored(Exploration(tuple(findings)), {one.system: one for one in profile(findings)}, None)


def photo(chance: np.random.Generator) -> bytes:
    target = io.BytesIO()
    noise = chance.integers(0, 255, (60, 80, 3), dtype=np.uint8)
    Image.fromarray(noise).resize((640, 480)).save(target, "JPEG")
    return target.getvalue()


def found(item: CaptionItem, chance: np.random.Generator) -> CaptionFindings:
    text, support = item.candidate, []
    for word in text.split():
        if word in WORDS:
            start = text.find(word)
            support.append(WordSupport(word, float(chance.random()), "dog", True, (start, start + len(word))))
    kinds = chance.choice(list(KINDS), chance.integers(0, 4), replace=False)
    errors = tuple(
        Error(str(kind), one.word, float(chance.random()), f"None of 4 references mentions {one.word}.", (one.span,), 0)
        for kind, one in zip(kinds, support, strict=False)
    )
    ranked = tuple(sorted(errors, key=lambda one: -one.strength))
    return CaptionFindings(
        item.image_id, item.system, text, text, tuple(support), 0.5, (), ranked, 0,
        concepts=tuple({one.word for one in support}), agreeing=2, size=len(text.split()),
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--captions", type=int, default=10_000)
    asked = parser.parse_args()
    app = running.start("guide")  # modules are loaded by now
    before = memory()
    data, explored = made(asked.captions)
    jobs()._outcomes.put(exploring.job(data).address, Outcome(explored), 1)
    app.session_state[dataset.KEY] = dataset._Open(data)
    held = Explore(data)
    held.load(data)
    app.session_state[state.KEY] = held
    app.switch_page("pages/explore/page.py")
    running.settle(app, "explore")
    assert running.drawn(app, "size")["count"] == asked.captions // len(SYSTEMS)

    def timed(name: str, change: Callable[[Explore], None]) -> None:
        change(app.session_state[state.KEY])
        start, busy = time.perf_counter(), time.process_time()
        app.run()
        assert not app.exception
        print(f"{name:32} {time.perf_counter() - start:.3f} s, {time.process_time() - busy:.3f} s of processor")

    timed("nothing changed", lambda one: None)
    for _ in range(2):
        timed("one error", lambda one: setattr(one, "kind", "wrong_colour"))
        timed("another captioner", lambda one: setattr(one, "system", "three" if one.system != "three" else "two"))
        timed("words", lambda one: setattr(one, "words", "dog wall"))
        timed("a range", lambda one: setattr(one, "ranges", {"cider": (0.2, 0.8)}))
        timed("by metric", lambda one: setattr(one, "sort", "spice"))
        timed("by disagreement", lambda one: setattr(one, "sort", "disagreement"))
        timed("no filter", lambda one: one.__dict__.update(kind="", words="", ranges={}))
        timed("next page", lambda one: setattr(one, "page", one.page + 1))
    print(f"memory of the data set, its findings and this session: {memory() - before:.0f} MB")


def memory() -> float:
    """Of this process, in MB."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


if __name__ == "__main__":
    main()
