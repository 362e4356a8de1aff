"""Learn in a real browser: a small run that is watched, used in Inspect, downloaded; one that is cancelled."""

from __future__ import annotations

import re

from safetensors import safe_open

from tests.browser import places
from tests.browser.visitor import Visitor

FEWEST = 2  # epochs


def fewest(visitor: Visitor) -> None:
    """The slider at its left end."""
    visitor.press_on(places.SLIDER, "Home")


def test_a_small_run_is_watched_used_and_downloaded(visitor: Visitor) -> None:
    visitor.open("/learn")
    assert visitor.sees(places.words("Press Train and watch"))
    fewest(visitor)
    visitor.click_unheard(places.TRAIN)
    assert visitor.watch(places.CANCEL) == "Cancel"
    visitor.watch(places.CHART)  # curves stand there from the beginning
    sentence = visitor.text(places.words("Your model rebuilds"))
    assert re.search(r"Your model rebuilds \d+ % of the words of captions it has not seen", sentence)
    assert visitor.sees(places.words(f"of {FEWEST} kept"))
    saved = visitor.download(places.button("Download"))
    with safe_open(saved, "numpy") as file:
        assert file.metadata()["family"] == "i2ce"
    visitor.reload()
    assert visitor.text(places.words("Your model rebuilds")) == sentence  # nothing is lost, nothing trained again
    visitor.click(places.button("Use it in Inspect"))
    assert visitor.path == "/"
    opened = visitor.text(places.OPEN_METRIC)
    assert opened.startswith("I2CE")
    assert "⚙" in opened  # with options that are not the default's: the new model


def test_a_run_is_cancelled_and_another_visitor_goes_on(visitor: Visitor, other: Visitor) -> None:
    visitor.open("/learn")
    visitor.press_on(places.SLIDER, "End")
    visitor.click_unheard(places.TRAIN)
    visitor.watch(places.CANCEL)
    other.open()  # scores beside the training
    other.fill(places.candidate(1), "a man in a canoe")
    assert other.text(places.score(0, "bleu_1"))
    visitor.click_unheard(places.CANCEL)
    visitor.watch(places.words("Stopped"))
    assert visitor.sees(places.words("Stopped. Nothing was kept of this run."))
    assert not visitor.sees(places.words("Your model rebuilds"))
    visitor.click(places.radio("NNEval"))
    assert visitor.sees(places.words("Stopped"))
