"""The Guide in a real browser: a lesson opens its page and leads back; an evidence leads to its metric's card."""

from __future__ import annotations

from tests.browser import places
from tests.browser.visitor import Visitor


def test_a_lesson_opens_inspect_prepared_and_leads_back(visitor: Visitor) -> None:
    visitor.open("/guide?view=Lessons")
    assert visitor.count(places.button("Show the answer")) == 6
    visitor.click(places.first(places.button("Open in Inspect, Evidence")))
    assert visitor.texts(places.CAPTIONS) == ["a cat sleeps on the sofa", "a fox sleeps on the sofa"]
    score = visitor.text(places.score(0, "meteor"))
    assert not visitor.sees(places.words("stands as a paraphrase"))
    visitor.click(places.button("Show the answer"))
    assert f"A gets {score}" in visitor.text(places.LESSON)
    visitor.click(places.button("Back to the lessons"))
    assert visitor.path.startswith("/guide")
    assert visitor.count(places.button("Open in ")) == 6


def test_evidence_leads_to_the_metrics_card(visitor: Visitor) -> None:
    visitor.open()
    visitor.click(places.first(places.link("How METEOR works")))
    assert visitor.path.startswith("/guide?metric=meteor")
    assert visitor.sees(places.words("METEOR pairs each word of the candidate"))
