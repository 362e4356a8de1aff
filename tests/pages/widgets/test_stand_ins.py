"""Stand-ins in words."""

from __future__ import annotations

from capeval_core.types import StandIn
from pages.widgets import stand_ins

GLOVE = StandIn("stand-in", "GloVe", "word2vec", "fetch word2vec")
FLOW = StandIn("estimated", "a regression", "DistilBERT", "fetch DistilBERT")


def test_one_line_for_all() -> None:
    assert stand_ins.summary({}) == ""
    assert stand_ins.summary({"WMD": GLOVE}) == "≈ WMD uses stand-ins for the papers' resources."
    assert stand_ins.summary({"SMURF": FLOW}) == "≈ SMURF is estimated."
    found = stand_ins.summary({"WMD": GLOVE, "MIMA": FLOW, "WEmbSim": GLOVE, "SPICE": GLOVE, "SMURF": FLOW})
    assert found == ("≈ WMD, WEmbSim and SPICE use stand-ins for the papers' resources; MIMA and SMURF are estimated.")


def test_one_line_per_stand_in_with_its_fix() -> None:
    assert list(stand_ins.lines({"WMD": GLOVE, "MIMA": FLOW, "WEmbSim": GLOVE})) == [
        "WMD, WEmbSim: stand-in: GloVe in place of word2vec. To use the original: fetch word2vec",
        "MIMA: estimated by a regression; the paper uses DistilBERT. To use the original: fetch DistilBERT",
    ]
    assert list(stand_ins.lines({})) == []
