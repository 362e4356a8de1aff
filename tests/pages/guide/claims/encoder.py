"""I2CE."""

from __future__ import annotations

import numpy as np
import pytest

from capeval_core import CaptionItem, explain, registry
from pages.work import costs
from tests.pages.guide.claims.facts import at_home, moved, strangers, toy, value, why


def i2ce_writes_again() -> None:
    said = why("i2ce", "a red car parked next to a dog", "a car")
    assert np.mean(said.kept) > 0.7


def i2ce_angle() -> None:
    assert all(own > other for own, other in at_home("i2ce"))


def i2ce_nearest() -> None:
    texts = ("a man paddles a canoe", "a man in a boat", "a boat on a lake", "people in the snow", "a kitchen")
    item = CaptionItem("x", "a guy rows a boat", texts)
    found = explain(item, "i2ce")
    best = sorted((one.cosine for one in found.references), reverse=True)[:3]  # type: ignore[attr-defined]
    assert found.value == pytest.approx(np.mean(best))
    two = why("i2ce", "a guy rows a boat", *texts[:2])
    assert two.value == pytest.approx(np.mean([one.cosine for one in two.references]))


def i2ce_range() -> None:
    assert registry.get("i2ce").bounds == (-1, 1)
    assert value("i2ce", "a dog", "a dog") == pytest.approx(1)


def i2ce_synonyms() -> None:
    assert value("i2ce", "a guy rows a boat", "a man paddles a canoe") == pytest.approx(0.8, abs=0.05)


def i2ce_strangers() -> None:
    assert strangers("i2ce") == pytest.approx(0.15, abs=0.05)
    assert strangers("wembsim") == pytest.approx(0.5, abs=0.1)


def i2ce_speed() -> None:
    assert costs.cost("i2ce") < costs.cost("wembsim") / 3


def i2ce_order() -> None:
    assert abs(moved("i2ce", "Shuffled words")) < abs(moved("cider", "Shuffled words")) / 3


def i2ce_colour() -> None:
    assert value("i2ce", "a red bus on a street", "a blue bus on a street") > 0.9


def i2ce_unknown() -> None:
    assert value("i2ce", "a qqzzx near a pond", "a wwyyv near a pond") == pytest.approx(1)


def i2ce_toy() -> None:
    one, two = toy("i2ce")
    assert one > two
