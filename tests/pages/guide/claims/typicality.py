"""SPARCS, SPURTS, MIMA, SMURF."""

from __future__ import annotations

import numpy as np
import pytest

from capeval_core import registry
from capeval_core.metrics.smurf import STANDARDS, THRESHOLD
from capeval_core.metrics.typicality.reliability import reliability
from capeval_core.perturb import KINDS
from pages.guide import guides
from tests.pages.guide.claims.facts import moved, people, toy, toy_why, value, why

SEA = ("a surfer rides a big wave", "a man on a surfboard in the sea")


def sparcs_stems() -> None:
    assert value("sparcs", "the dogs running", "a dog runs") == 1


def sparcs_weights() -> None:
    found = toy_why("sparcs", "A")
    shares = {one.stem: one.typicality for one in found.matched}
    assert shares["cook"] > shares["pan"] > 0
    assert value("sparcs", "a chef", "a chef") > value("sparcs", "a chef and a parrot", "a chef")


def sparcs_shares() -> None:
    shares = {one.stem: one.typicality for one in toy_why("sparcs", "A").matched}
    assert shares["chef"] == pytest.approx(2 / 3)


def sparcs_parrot() -> None:
    assert [one.stem for one in toy_why("sparcs", "A").extra] == ["parrot"]
    assert toy_why("sparcs", "A").precision < 1


def sparcs_order() -> None:
    assert moved("sparcs", "Shuffled words") == pytest.approx(0, abs=0.01)
    assert value("sparcs", "dog beach", "the dog is on the beach") == 1


def sparcs_synonym() -> None:
    assert value("sparcs", "a boat", "a canoe") == 0


def sparcs_grammar() -> None:
    assert value("sparcs", "chef pasta cooks a a", *guides.guide("sparcs").references) == value(
        "sparcs", "a chef cooks pasta", *guides.guide("sparcs").references
    )


def sparcs_toy() -> None:
    found = toy_why("sparcs", "A")
    assert all(one.typicality > 0 for one in found.matched)
    assert [one.typicality for one in found.extra] == [0]


def spurts_toy() -> None:
    one, two = toy("spurts")
    assert two > one


def spurts_detail() -> None:
    assert moved("spurts", "Truncated ending") < -0.03
    assert toy("spurts")[1] > people("spurts", "p90")


def spurts_formula() -> None:
    found = why("spurts", "a man riding a wave on a surfboard")
    strongest = np.array(found.flows).max(axis=1)
    assert found.plain == pytest.approx(float(np.median(strongest)))
    assert any(found.masked)  # stop words


def spurts_people() -> None:
    means = guides.measured()["published"]["SPURTS"]
    assert len(means) == 4
    assert all(means["human"] > mean for name, mean in means.items() if name != "human")


def spurts_no_references() -> None:
    assert not registry.get("spurts").needs_references


def spurts_blind() -> None:
    assert value("spurts", "a lone violinist sways beneath the trembling chandelier", *SEA) > people("spurts", "p90")


def spurts_length() -> None:
    assert moved("spurts", "Truncated ending") == min(moved("spurts", kind) for kind in _kinds()) < -0.03


def spurts_estimated() -> None:
    _says_it_is_estimated("spurts", "DistilRoBERTa")


def spurts_error() -> None:
    _says_how_far("spurts")


def _kinds() -> list[str]:
    return list(guides.measured()["sensitivity"]["kinds"])


def _says_it_is_estimated(key: str, original: str) -> None:
    stand_in = why(key, "a dog runs").stand_in
    assert stand_in.word == "estimated"
    assert original in stand_in.original


def _says_how_far(key: str) -> None:
    known = reliability()
    assert known is not None
    assert known.share == 0.9
    assert why(key, "a dog runs", "a dog").stand_in.error == known.error[key]
    assert {"shuffled", "reversed", "fronted", "synonyms"} <= set(known.unfit_for[key]) <= set(KINDS)


def mima_flow() -> None:
    found = why("mima", "a brown dog runs along the beach")
    assert found.plain == pytest.approx(1 - float(np.median(np.array(found.flows).max(axis=1))))


def mima_paper_word() -> None:
    assert "(grammar)" in registry.get("mima").measures


def mima_threshold() -> None:
    assert THRESHOLD == -1.96


def mima_repetition() -> None:
    assert moved("mima", "Repeated phrase") == min(moved("mima", kind) for kind in _kinds()) < -0.05


def mima_no_references() -> None:
    assert not registry.get("mima").needs_references


def mima_order_and_endings() -> None:
    assert abs(moved("mima", "Shuffled words")) < 0.03 < abs(moved("mima", "Repeated phrase"))
    assert moved("mima", "Truncated ending") > 0.01


def mima_fluent_differ() -> None:
    one, two = value("mima", "a brown dog runs along the beach"), value("mima", "a dog is running on a beach")
    assert one != pytest.approx(two, abs=0.002)


def mima_estimated() -> None:
    _says_it_is_estimated("mima", "DistilBERT")


def mima_error() -> None:
    _says_how_far("mima")


def mima_toy() -> None:
    assert toy("mima")[1] < people("mima", "p10") < toy("mima")[0]


def smurf_parts() -> None:
    assert [term.name for term in toy_why("smurf", "A").terms] == ["sparcs", "spurts", "mima"]


def smurf_standardised() -> None:
    for term in toy_why("smurf", "A").terms:
        known = STANDARDS["paper"][term.name]
        assert term.standardised == pytest.approx((term.raw - known.mean) / known.deviation)


def smurf_people() -> None:
    found = toy_why("smurf", "A")
    assert found.terms[1].contribution == pytest.approx(found.terms[1].standardised + 1.96)
    assert people("smurf") > 1.5


def smurf_grammar() -> None:
    assert toy_why("smurf", "A").terms[2].contribution == 0
    assert why("smurf", "a man a man a man a man on on a wave wave wave", *SEA).terms[2].contribution < 0


def smurf_lie() -> None:
    found = why("smurf", "a lone violinist sways beneath the trembling chandelier", *SEA)
    assert found.terms[0].standardised < THRESHOLD
    assert not found.terms[1].counted


def smurf_two_axes() -> None:
    dull, lively = (toy_why("smurf", letter).terms for letter in "AB")
    assert dull[0].standardised > lively[0].standardised
    assert dull[1].standardised < lively[1].standardised


def smurf_wrong_object() -> None:
    right, wrong = (why("smurf", f"a man riding a wave on a {one}", *SEA) for one in ("surfboard", "snowboard"))
    assert wrong.terms[1].counted
    assert wrong.terms[1].contribution > 0.8 * right.terms[1].contribution


def smurf_shuffled() -> None:
    assert moved("smurf", "Shuffled words") > 0
    assert moved("sparcs", "Shuffled words") == pytest.approx(0, abs=0.01)
    assert moved("spurts", "Shuffled words") > 0


def smurf_not_known() -> None:
    known = reliability()
    assert known is not None
    assert "shuffled" in known.unfit_for["smurf"]


def smurf_error() -> None:
    _says_how_far("smurf")


def smurf_toy() -> None:
    one, two = toy_why("smurf", "A"), toy_why("smurf", "B")
    assert two.terms[1].standardised > one.terms[1].standardised
    assert one.terms[0].standardised > two.terms[0].standardised
    assert one.value > two.value
