"""Options of metrics as flags and with --set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from capeval_core import CaptionItem, InvalidInput, explain
from capeval_core.cli import main
from capeval_core.cli.settings import read_value
from capeval_core.option_fields import OptionField, number, transformer, whole_number, yes_or_no
from tests.cli.cases import refused


def test_options_reach_the_metrics(captions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--idf", "corpus", "--smoothing", "lin-och", "--cider-variant", "cider", "--device", "cpu"]
    assert main(["score", str(captions), "--metrics", "bleu_4,cider", *options]) == 0
    printed = capsys.readouterr().out
    assert "bleu_4|smoothing:lin-och|" in printed
    assert "|variant:cider|" in printed
    assert "idf:corpus(2 images" in printed


def test_set_reaches_any_option_of_any_metric(captions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = ["--set", "rouge_l.beta=2", "--set", "cider.idf=corpus", "--set", "bleu.smoothing=lin-och"]
    assert main(["score", str(captions), "--metrics", "rouge_l,cider,bleu_1", "--idf", "coco", *settings]) == 0
    printed = capsys.readouterr().out
    assert "rouge_l|beta:2.0|" in printed
    assert "idf:corpus(2 images" in printed  # it names its metric, so it goes before --idf
    assert "bleu_1|smoothing:lin-och|" in printed
    typed = ["--metric", "rouge_l", "--candidate", "a dog runs", "--reference", "a dog", "--set", "rouge_l.beta=0.5"]
    assert main(["explain", *typed]) == 0
    options = {"rouge_l": {"beta": 0.5}}
    item = CaptionItem("1", "a dog runs", ("a dog",))
    assert json.loads(capsys.readouterr().out)["value"] == explain(item, "rouge_l", options=options).value


BAD_SETTINGS = {
    "beta=2": "--set; expected METRIC.NAME=VALUE; found 'beta=2'",
    "rouge_l.beta": "--set; expected METRIC.NAME=VALUE",
    "rouge.beta=2": "--set: unknown metric 'rouge'; expected one of bleu, rouge_l,",
    "rouge_l.alpha=2": "--set: rouge_l has no option 'alpha'; expected one of beta",
    "sparcs.alpha=2": "--set: sparcs has no option 'alpha'; expected none",
    "spider.idf=coco": "--set: spider has no option 'idf'; expected none: it follows the options of CIDEr",
    "rouge_l.beta=two": "--set: rouge_l.beta; expected a number from 0.01 to 100; found 'two'",
    "rouge_l.beta=nan": "--set: rouge_l.beta; expected a number from 0.01 to 100; found nan",
    "rouge_l.beta=-1": "--set: rouge_l.beta; expected a number from 0.01 to 100; found -1.0",
    "bleu.smoothing=lin": "--set: bleu.smoothing; expected none or lin-och; found 'lin'",
}


@pytest.mark.parametrize("setting", BAD_SETTINGS)
def test_a_bad_setting_is_one_line(setting: str, captions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = BAD_SETTINGS[setting]
    assert message in refused(capsys, "score", captions, "--metrics", "rouge_l,bleu_1", "--set", setting)


SAMPLE = {
    "flag": OptionField("x", False, **yes_or_no("X", "x")),
    "whole": OptionField("x", 1, **whole_number("X", "x", 0)),
    "number": OptionField("x", 1.0, **number("X", "x", 0, 9, 1)),
    "model": OptionField("x", "", **transformer("X", "x")),
}


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("true", "flag", True),
        ("No", "flag", False),
        ("3", "whole", 3),
        ("1e-3", "number", 0.001),
        ("2", "number", 2.0),
        ("a=b", "model", "a=b"),
    ],
)
def test_settings_take_the_type_of_the_option(text: str, kind: str, value: Any) -> None:
    found = read_value(text, SAMPLE[kind], "--set")
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(("text", "kind"), [("maybe", "flag"), ("1.5", "whole"), ("", "number"), ("", "model")])
def test_settings_of_the_wrong_type_are_refused(text: str, kind: str) -> None:
    with pytest.raises(InvalidInput, match=r"--set: x\.y; expected"):
        read_value(text, SAMPLE[kind], "--set: x.y")
