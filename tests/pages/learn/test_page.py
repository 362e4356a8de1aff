"""The Learn page without a browser: a tiny run, what came of it, its use in Inspect, stopping, too little data."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from safetensors import safe_open
from streamlit.testing.v1 import AppTest

from capeval_core import CaptionItem, evaluate
from capeval_core.figures.learning import percent
from capeval_core.io.dataset import DataSet
from capeval_core.resources import trained
from capeval_core.training import watched
from capeval_core.training.made_captions import made_captions
from capeval_core.training.watched import Learned, Plan, Watched
from pages.learn import training
from pages.learn.state import MADE, OPEN, Asked, Learn
from pages.work import dataset, plain
from pages.work.jobs import Job, Jobs, jobs
from pages.work.workspace import Workspace
from tests.figures.hostile import ALL, HOSTILE
from tests.pages import app as running
from tests.pages.app import labelled, said
from tests.pages.safe import check

FEW = made_captions(60)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Models that tests train never lie among the user's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CAPEVAL_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setattr(training, "made_captions", lambda: FEW)
        patch.setitem(watched.EPOCHS, "i2ce", (2, 2, 30))
        yield


@pytest.fixture(scope="module")
def held(cache: None) -> Iterator[AppTest]:
    app = running.start("learn", ws=Workspace(metrics=["bleu_1"]))  # Inspect, which opens first, needs no model
    yield app
    jobs().want(running.owner(app, "learn"), [])


@pytest.fixture(scope="module")
def learned(held: AppTest) -> Learned:
    """What the page's first run made."""
    labelled(held.button, "Train").click().run()
    running.settle(held, "learn")
    found: Learned | None = held.session_state["learn"].learned
    assert found
    return found


def use(app: AppTest, **fields: object) -> AppTest:
    app.switch_page("pages/learn/page.py")
    app.session_state["learn"] = Learn(**fields)  # type: ignore[arg-type]
    return app.run()


def test_the_first_view_teaches(held: AppTest, learned: Learned) -> None:
    page = use(held)
    assert "Press Train and watch" in page.info[0].value
    assert not page.get("plotly_chart")
    page = use(held, metric="nneval")
    assert "NNEval learns to tell people's captions from wrong ones" in page.info[0].value


def test_a_run_shows_curves_figures_and_examples(held: AppTest, learned: Learned) -> None:
    page = use(held, asked=Asked(learned.plan, MADE), learned=learned)
    text = said(page)
    assert f"Your model rebuilds {percent(learned.figures['words'])} of the words" in text
    assert f"learned from {learned.counts['captions']} captions of {learned.counts['images']} images" in text
    assert learned.examples[0][0] in text
    losses, shares = (json.loads(chart.proto.spec) for chart in page.get("plotly_chart"))
    drawn = losses["data"][0]["y"]
    assert drawn == [point.losses["reconstruction"] for point in learned.points]
    assert drawn[-1] < drawn[0]
    assert [len(line["y"]) for line in shares["data"]] == [2, 2]  # two figures after each of two epochs
    check(page)


def test_the_model_is_used_in_inspect_at_once(held: AppTest, learned: Learned) -> None:
    page = use(held, asked=Asked(learned.plan, MADE), learned=learned)
    labelled(page.button, "Use it in Inspect").click().run()
    assert not page.exception
    ws = page.session_state["ws"]
    source = ws.options["i2ce"].model
    assert trained.kept("i2ce", source)
    assert trained.locate("i2ce", source).read_bytes() == learned.content
    assert ws.metric == "i2ce"
    item = CaptionItem("1", "a man reads a book", ("a guy is reading", "the man looks into a book"))
    scores = evaluate([item], ["i2ce"], options=ws.options)
    assert "own(" in scores.signatures["i2ce"]


def test_the_download_is_the_model(learned: Learned, tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    file.write_bytes(learned.content)
    with safe_open(file, "numpy") as found:
        assert found.metadata()["family"] == "i2ce"


def test_a_run_is_kept_over_a_reload(learned: Learned) -> None:
    """Written as the store writes it and read back: the same model, and nothing is trained again."""
    files: dict[str, bytes] = {}

    def put(content: bytes) -> str:
        files[str(len(files))] = content
        return str(len(files) - 1)

    state = Learn(asked=Asked(learned.plan, MADE), learned=learned, source=OPEN, epochs={"i2ce": 7, "nneval": 9})
    text = json.dumps(plain.written(state, put))
    found = Learn()
    plain.fill(found, json.loads(text), files.get)
    assert found == state


def test_train_again_begins_from_other_random_numbers(held: AppTest, learned: Learned) -> None:
    page = use(held, asked=Asked(learned.plan, MADE), learned=learned, epochs={"i2ce": 2, "nneval": 30})
    labelled(page.button, "Train again").click().run()
    asked = page.session_state["learn"].asked
    assert asked.plan == Plan("i2ce", learned.plan.variant, "small", 2, seed=2)
    assert asked.address != Asked(learned.plan, MADE).address
    page.session_state["learn"].stopped = True
    page.run()
    assert not jobs().of(running.owner(page, "learn"))


def test_a_long_run_is_stopped(held: AppTest, learned: Learned) -> None:
    page = use(held, epochs={"i2ce": 30, "nneval": 30}, size="medium")
    labelled(page.button, "Train").click().run()
    drawn = running.drawn(page, "cancel")
    assert drawn["pending"]
    assert drawn["cancel"]
    assert labelled(page.button, "Train").disabled
    page.session_state["learn"].stopped = True
    page.run()
    assert "Stopped" in page.warning[0].value
    assert not jobs().of(running.owner(page, "learn"))
    assert jobs().wait(lambda: not jobs()._running, 20)  # the work has really ended
    assert not labelled(page.run().button, "Train").disabled


def few(images: int) -> DataSet:
    items = [CaptionItem(image, "a dog", tuple(texts)) for image, texts in list(FEW.items())[:images]]
    return DataSet("mine", tuple(items))


def test_too_little_data_says_what_to_do(held: AppTest, learned: Learned) -> None:
    held.session_state[dataset.KEY] = dataset._Open(few(10))
    page = use(held, source=OPEN)
    labelled(page.button, "Train").click().run()
    running.settle(page, "learn")
    assert "No model came of this run" in page.warning[0].value
    assert "at least 100 captions of 20 images" in said(page)
    assert "Open files with more captions above" in said(page)
    labelled(page.button, "Take the made captions").click().run()
    assert page.session_state["learn"].source == MADE
    held.session_state[dataset.KEY] = dataset._Open(dataset.from_samples())


def test_captions_of_the_open_data_set_are_its_references_by_image() -> None:
    first, second = CaptionItem("1", "x", ("a dog", "a hound")), CaptionItem("1", "y", ("a hound", "a puppy"))
    data = DataSet("two", (first, second, CaptionItem("2", "z")))
    found: Mapping[str, object] = training.captions(Asked(Plan(), OPEN, data.digest), data)
    assert found == {"1": ("a dog", "a hound", "a puppy")}
    with pytest.raises(Exception, match="no longer open"):
        training.captions(Asked(Plan(), OPEN, "another"), data)


def test_strangers_texts_stay_text(held: AppTest, learned: Learned) -> None:
    held.session_state[dataset.KEY] = dataset._Open(
        DataSet(ALL, tuple(CaptionItem(f"{n} {ALL}", "x", tuple(HOSTILE)) for n in range(3)))
    )
    check(use(held, source=OPEN))
    hostile = Learned(
        learned.plan, learned.counts, learned.points, 1, learned.figures, learned.figures, learned.chance,
        learned.heads, ((ALL,) * len(learned.heads),), 1.0, b"",
    )  # fmt: skip
    check(use(held, asked=Asked(learned.plan, OPEN, "digest", ALL), learned=hostile))
    held.session_state[dataset.KEY] = dataset._Open(dataset.from_samples())


def test_training_takes_no_worker_from_a_data_set() -> None:
    """Both workers of long jobs stay free however many models are being trained."""
    runner, go, scored = Jobs(), threading.Event(), threading.Event()
    trainings = [training.job(Asked(Plan(seed=seed), MADE), few(1)) for seed in range(1, 5)]
    for one in trainings:
        one.work = lambda report: go.wait(20)
    long = Job("a data set", "scores", lambda report: scored.set())
    runner.want(("a", "learn"), trainings)
    runner.want(("b", "systems"), [long])
    assert scored.wait(20)
    go.set()
    assert runner.finish(("a", "learn"), 20)


def test_what_a_run_reads_is_limited() -> None:
    captions = {str(number): ["a"] * 5 for number in range(100)}
    found = watched.within(captions, 50, 1)
    assert sum(map(len, found.values())) == 50
    assert watched.within(captions, 50, 1) == found != watched.within(captions, 50, 2)
    assert Watched().points == []
