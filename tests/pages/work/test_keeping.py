"""Nothing lost: whatever a visitor changed is there again under the same address, and nobody else's ever is."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from capeval_core import options as metric_options
from pages.inspect import exports
from pages.perturb import lab as lab_module
from pages.systems import state as systems_state
from pages.work import dataset, keeping
from pages.work.cells import cells
from tests.io.test_dataset import ROWS, lines
from tests.pages.app import drawn, labelled, said
from tests.pages.cases import picture
from tests.pages.client import APP
from tests.pages.test_walk import QUICK, link

SOON = 120.0
ID = keeping.PARAMETER


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(keeping.SETTING, str(tmp_path / "sessions"))
    monkeypatch.setattr(systems_state, "first_keys", lambda data: ["rouge_l", "bleu_1"])
    return tmp_path / "sessions"


def start(query: dict[str, str] | None = None) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=SOON)
    for name, value in (link() if query is None else query).items():
        app.query_params[name] = value
    return ran(app)


def ran(app: AppTest) -> AppTest:
    app.run()
    assert not app.exception
    return app


def turned(app: AppTest, page: str) -> AppTest:
    app.switch_page(f"pages/{page}/page.py")
    return ran(app)


def kept(app: AppTest) -> keeping.Kept:
    found: keeping.Kept = app.session_state[keeping.KEY]
    return found


def again(app: AppTest) -> AppTest:
    """The same address in a new session, as after a reload or on another server."""
    assert kept(app).id
    return start({ID: kept(app).id})


def rows(folder: Path) -> int:
    with sqlite3.connect(folder / "sessions.db") as db:
        return int(db.execute("SELECT COUNT(*) FROM sessions").fetchone()[0])


def captions(app: AppTest) -> list[str]:
    return [row["caption"] for row in drawn(app, "rows")["rows"]]


def edited(app: AppTest, text: str, place: int = 0) -> AppTest:
    app.session_state["ws"].candidates[place].caption = text
    return ran(app)


def test_a_visit_keeps_nothing_and_a_change_does(folder: Path) -> None:
    app = ran(start())
    turned(app, "perturb")
    assert kept(app).id == ""
    assert rows(folder) == 0
    turned(app, "inspect")
    edited(app, "mine")
    assert len(kept(app).id) >= 32
    assert app.query_params[ID] in (kept(app).id, [kept(app).id])
    assert rows(folder) == 1
    revision = kept(app).revision
    ran(ran(app))
    assert kept(app).revision == revision  # nothing has changed


def test_inspect_is_found_again_as_it_was() -> None:
    app = start()
    ws = app.session_state["ws"]
    ws.candidates[1].caption, ws.candidates[1].system = "<b>mine</b>", "me"
    ws.add(["one more"])
    ws.set_references(["a dog", "a cat"])
    ws.image, ws.title, ws.sample = picture("PNG"), "my image", ""
    ws.metrics, ws.metric, ws.view = ["bleu_1", "rouge_l"], "rouge_l", "Profile"
    ws.options["rouge_l"] = metric_options.make("rouge_l", {"beta": 2.0})
    ws.chosen = ws.candidates[2].id
    ran(app)
    other = again(app)
    assert other.session_state["ws"] == app.session_state["ws"]
    assert captions(other) == captions(app)
    assert other.session_state["ws"].options["rouge_l"].beta == 2.0
    labelled(other.button, "Undo").click().run()  # the way back too
    assert captions(other) == captions(start())
    assert kept(other).notice == ""


def test_the_other_pages_are_found_again_as_they_were() -> None:
    app = start()
    app.session_state["ws"].metrics = list(QUICK[:2])
    turned(app, "perturb")
    lab = app.session_state["lab"]
    lab.strength, lab.seed, lab.kinds = 3, 7, lab.kinds[:1]
    lab_module.add(lab, ["a row of my own"])
    ran(app)
    turned(app, "systems")
    systems = app.session_state["systems"]
    systems.view, systems.size, systems.keys = "Distributions", 2.0, ["rouge_l"]
    systems.settle()
    ran(app)
    other = turned(again(app), "perturb")
    assert other.session_state["lab"] == app.session_state["lab"]
    assert turned(other, "systems").session_state["systems"] == app.session_state["systems"]


def test_the_open_data_set_is_found_again_and_lost_files_are_told() -> None:
    app = turned(start(), "systems")
    (files,) = [one for one in app.file_uploader if one.key == "data files"]
    files.set_value([("mine.jsonl", lines(ROWS), "x")])
    labelled(app.button, "Open them").click().run()
    mine = app.session_state["data set"].data
    assert mine.title == "mine.jsonl"
    for forgotten in (False, True):
        if forgotten:
            dataset._READ.clear()  # another server: they are read again
        other = turned(again(app), "systems")
        found = other.session_state["data set"].data
        assert (found.title, found.digest, found.samples) == (mine.title, mine.digest, False)
    for file in (keeping.folder() or Path()).glob("files/*"):
        file.write_bytes(b"damaged")
    dataset._READ.clear()
    other = turned(again(app), "systems")
    assert other.session_state["data set"].data.samples
    assert dataset.LOST in [one.value for one in ran(other).info]


def test_two_tabs_of_one_address_overwrite_nothing(folder: Path) -> None:
    first = edited(start(), "from the first")
    second = again(first)
    edited(first, "first again")
    assert kept(first).notice == ""
    edited(second, "from the second", 1)
    assert kept(second).id != kept(first).id
    assert keeping.OVERTAKEN in [one.value for one in second.info]
    assert rows(folder) == 2
    assert captions(again(first))[:2] == ["first again", captions(first)[1]]
    assert captions(again(second))[:2] == ["from the first", "from the second"]
    labelled(second.button, "OK").click().run()
    assert [one.value for one in second.info] == []


def test_an_address_that_leads_nowhere_gives_a_fresh_start_and_says_so() -> None:
    mine = edited(start(), "a private caption")
    for wrong in (
        "nonsense",
        kept(mine).id[:-1],
        kept(mine).id.swapcase(),
        "' OR 1=1 --",
        "../sessions.db",
        "x" * 9_999,
    ):
        other = start({**link(), ID: wrong})
        assert "a private caption" not in captions(other)
        assert any("nothing kept under this address" in one.value for one in other.info)
        assert kept(other).id == ""
        assert ID not in other.query_params


def test_forgetting_deletes_it_and_starts_afresh(folder: Path) -> None:
    app = edited(start(), "to be forgotten")
    identity = kept(app).id
    labelled(app.button, "Forget this session").click().run()
    assert not app.exception
    assert "to be forgotten" not in captions(app)
    assert keeping.FORGOTTEN in [one.value for one in app.info]
    assert rows(folder) == 0
    assert labelled(app.button, "Undo").disabled
    assert any("nothing kept" in one.value for one in start({ID: identity}).info)
    edited(app, "anew")
    assert kept(app).id not in ("", identity)


def test_it_can_be_switched_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(keeping.SETTING, "OFF")
    app = edited(start(), "not kept")
    assert kept(app).id == ""
    assert not folder.exists()
    assert any("Nothing is kept on this server" in one.value for one in app.caption)
    labelled(app.button, "Undo").click().run()
    assert captions(app) == captions(start())


@pytest.mark.parametrize("harm", ["a file in its place", "damaged", "another version"])
def test_without_a_store_the_app_works_and_says_so(folder: Path, harm: str) -> None:
    folder.parent.mkdir(exist_ok=True)
    if harm == "a file in its place":
        folder.write_text("x")
    else:
        folder.mkdir()
        with sqlite3.connect(folder / "sessions.db") as db:
            db.execute("PRAGMA user_version = 99")
    if harm == "damaged":
        (folder / "sessions.db").write_bytes(b"x" * 5_000)
    app = edited(start(), "mine")
    assert captions(app)[0] == "mine"
    assert any("A reload of this page will lose your work" in one.value for one in app.warning)
    assert "Fix: " in said(app)
    labelled(app.button, "Undo").click().run()
    assert captions(app)[0] != "mine"


def test_a_store_that_fails_for_a_while_catches_up(monkeypatch: pytest.MonkeyPatch) -> None:
    app = edited(start(), "before")
    door = keeping.store()
    assert door
    db: Any = door._db
    most = db.execute("PRAGMA max_page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0]}")
    long = "long " * 1_999
    app.session_state["ws"].add([long] * 20)
    ran(app)
    assert any("A reload" in one.value for one in app.warning)
    db.execute(f"PRAGMA max_page_count = {most}")
    ran(app)
    assert [one.value for one in ran(app).warning] == []
    assert captions(again(app))[-1] == long.strip()


def test_the_id_is_in_no_link_and_no_export() -> None:
    app = edited(start(), "mine")
    identity, ws = kept(app).id, app.session_state["ws"]
    assert app.code
    assert not any(identity in one.value for one in app.code)
    assert "works on this machine only" in said(app)
    for text in (exports.scores_json(ws, cells()), said(app)):
        assert identity not in text


def test_an_image_for_a_sample_can_be_taken_back() -> None:
    app = start()
    before = captions(app)
    (box,) = [one for one in app.file_uploader if (one.key or "").startswith("image")]
    box.set_value(("x.png", picture("PNG"), "image/png")).run()
    assert captions(app) == []
    labelled(app.button, "Undo").click().run()
    assert captions(app) == before
    assert app.session_state["ws"].sample
    labelled(app.button, "Redo").click().run()
    assert captions(app) == []
    assert labelled(app.button, "Redo").disabled


def test_pasted_captions_are_not_the_samples_and_have_a_neutral_place() -> None:
    app = start()
    app.text_area(key="pasted references").set_value("a dog\na cat")
    app.text_area(key="pasted candidates").set_value("a horse")
    labelled(app.button, "Use them").click().run()
    ws = app.session_state["ws"]
    assert (ws.image, ws.title, ws.sample, ws.credit) == (None, "", "", "")
    assert captions(app) == ["a horse"]
    assert "No image" in said(app)
    labelled(app.button, "Undo").click().run()
    assert app.session_state["ws"].image
    assert app.session_state["ws"].sample
