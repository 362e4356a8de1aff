"""What a visitor waits for, in Chromium, from Enter (or navigation) until the table says that all scores are in.

    python -m bench.waiting first          # the first visit of a server that has just been started, three times
    python -m bench.waiting edit [COUNT]   # an edit of 5 candidates, again and again, while nobody else is there
    python -m bench.waiting busy [COUNT]   # the same while another session scores 10,000 captions with all metrics
    python -m bench.waiting sessions [COUNT]   # the same without a browser: two sessions of the app in this process

Needs Chromium (not for `sessions`); `busy` and `sessions` need ../shared/data.
"""

from __future__ import annotations

import gzip
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from bench.coco import DATA
from capeval_core import registry
from tests.browser import places
from tests.browser.conftest import FLAGS
from tests.browser.serving import Server, serve

CAPTIONS = 10_000
PATIENCE = 600_000  # ms
WORDS = (
    "man",
    "woman",
    "dog",
    "horse",
    "boat",
    "lake",
    "street",
    "bench",
    "river",
    "field",
    "house",
    "tree",
    "road",
    "hill",
)
# Runs in the page. `table()` is our component's shadow root.
SCRIPT = """
window.table = () => [...document.querySelectorAll("*")].map((one) => one.shadowRoot)
  .find((root) => root && root.querySelector("tr.scores"));
window.done = () => { const root = table();
  return root && !root.querySelector("tr.scores td.wait") &&
    root.querySelector(".status").textContent === "all scores are in"; };
window.until = (ready) => new Promise((go) => { const start = performance.now();
  const look = () => ready() ? go(performance.now() - start) : setTimeout(look, 5); look(); });
window.captions = () => [...table().querySelectorAll("tr.caption .text")].map((one) => one.textContent);
window.edit = async (texts) => {
  const fields = [...table().querySelectorAll("tr.caption .text")].slice(0, texts.length);
  fields.forEach((field, place) => { field.focus(); field.textContent = texts[place];
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true })); });
  return until(() => done() && texts.every((text, place) => captions()[place] === text));
};
"""


@contextmanager
def opened() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield browser
        browser.close()


def visit(browser: Browser, url: str) -> Page:
    page = browser.new_page(viewport={"width": 1440, "height": 1100})
    page.set_default_timeout(PATIENCE)
    page.set_default_navigation_timeout(PATIENCE)
    page.add_init_script(SCRIPT)
    page.goto(url, wait_until="commit")
    return page


def first(browser: Browser, folder: Path) -> None:
    for _ in range(3):
        with serve(folder) as server:
            start = time.monotonic()
            page = visit(browser, server.url)
            page.wait_for_function("() => window.table && table()")
            shown = time.monotonic() - start
            page.wait_for_function("() => done()", polling=20)
            scored = time.monotonic() - start
            memory = resident(server)
            print(f"first visit: captions {shown:.1f} s, all scores {scored:.1f} s; server {memory:.0f} MB", flush=True)
            page.close()


def resident(server: Server) -> float:
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def edits(browser: Browser, server: Server, count: int) -> list[float]:
    page = visit(browser, server.url)
    page.wait_for_function("() => window.done && done()")
    add = page.get_by_label("add a candidate")
    add.fill("a fifth candidate for the edits")
    add.press("Enter")
    page.wait_for_function("() => captions().length === 5 && done()")
    found = []
    for number in range(count + 1):
        texts = [
            f"a {WORDS[number % 14]} near the {WORDS[(number + place) % 14]} {number} {place}" for place in range(5)
        ]
        found.append(page.evaluate("(texts) => edit(texts)", texts) / 1000)
        page.wait_for_timeout(700)  # somebody reads and types; the long work goes on meanwhile
    page.close()
    return found[1:]


def busy(browser: Browser, server: Server, folder: Path) -> Page:
    """Another session: all metrics over a file of captions."""
    path = folder / "captions.jsonl"
    with gzip.open(DATA, "rt", encoding="utf-8") as lines, path.open("w", encoding="utf-8") as out:
        for line, _ in zip(lines, range(CAPTIONS), strict=False):
            row = json.loads(line)
            kept = {"image_id": row["image_id"], "candidate": row["caption"], "references": row["references"]}
            out.write(json.dumps(kept | {"system": row["system"]}) + "\n")
    page = visit(browser, f"{server.url}/systems")
    page.locator(places.OPEN_DATA).click()
    page.locator(places.CHOOSER).first.set_input_files(path)
    page.get_by_text(path.name).first.wait_for()
    page.locator(places.USE_DATA).click()
    page.locator(places.DATA, has_text=f"{CAPTIONS:,} captions").wait_for()
    page.locator(places.popover("Metrics")).click()
    page.locator(places.button("All metrics")).click()
    page.locator(".status", has_text=f"of {len(registry.keys())}").wait_for()
    return page


def sessions(count: int) -> list[float]:
    """Until the page is drawn and every score of the edit is in."""
    from bench.stretches import read
    from capeval_core.io.dataset import DataSet
    from pages.systems.state import KEY
    from pages.work import dataset
    from pages.work.cells import cells
    from pages.work.jobs import jobs
    from tests.pages.app import owner, settle, start

    editor = settle(start(), "inspect")
    scorer = start("systems", **{dataset.KEY: dataset._Open(DataSet("many", tuple(read(CAPTIONS))))})
    scorer.session_state[KEY].keys = list(registry.keys())
    scorer.run()
    who, found = owner(scorer, "systems"), []
    for number in range(count + 1):
        print([job.said for job in jobs().of(who)][:2], flush=True)
        ws = editor.session_state["ws"]
        ws.candidates.clear()
        ws.add(
            [f"a {WORDS[number % 14]} near the {WORDS[(number + place) % 14]} {number} {place}" for place in range(5)]
        )
        ws.settle()
        start_time = time.monotonic()
        editor.run()
        assert not cells().wait([*ws.items(), *ws.human_items()], ws.metrics, ws.options, 60)
        found.append(time.monotonic() - start_time)
        time.sleep(2)  # somebody reads and types; the long work goes on meanwhile
    return found[1:]


def report(found: list[float]) -> None:
    ordered = sorted(found)
    at = {share: ordered[min(int(share * len(ordered)), len(ordered) - 1)] for share in (0.5, 0.95)}
    load = " ".join(Path("/proc/loadavg").read_text().split()[:3])
    said = f"median {at[0.5]:.2f} s, 95 % {at[0.95]:.2f} s, longest {ordered[-1]:.2f} s"
    print(f"{len(found)} edits of 5: {said} (load {load})")


def main(what: str, count: int) -> None:
    if what == "sessions":
        report(sessions(count))
        return
    with opened() as browser, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if what == "first":
            first(browser, folder)
            return
        with serve(folder) as server:
            edits(browser, server, 1)  # models are loaded
            other = busy(browser, server, folder) if what == "busy" else None
            report(edits(browser, server, count))
            if other:
                print("the other session:", other.locator(".status").all_inner_texts())


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 40)
