"""Options as data: what every field says of itself, and that only this is taken, wherever a value comes from."""

from __future__ import annotations

import json
import math
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from capeval_core import CaptionItem, InvalidInput, evaluate, explain, options, registry
from capeval_core.option_fields import KINDS, OptionField, yes_or_no
from capeval_core.resources import available, score_network
from tests.resources.test_available import add_to_hub
from tests.resources.test_score_network import network
from tests.resources.test_sentence_model import tiny_i2ce

FIELDS = [(metric, field) for metric in registry.metrics() for field in options.fields(metric)]
ITEM = CaptionItem("1", "a big dog runs on the beach", ("the dog is running by the sea", "two dogs", "a dog on sand"))
NOT_ON_OFFER = ["/etc/passwd", "../../etc/passwd", "~/.ssh/id_rsa", "C:\\secrets.txt", "glove-6b-50d/../x", ""]

each_field = pytest.mark.parametrize(("metric", "field"), FIELDS, ids=lambda part: getattr(part, "name", part))
listed = pytest.mark.parametrize(
    ("metric", "field"),
    [(metric, field) for metric, field in FIELDS if field.kind in options.FROM_A_LIST],
    ids=lambda part: getattr(part, "name", part),
)


@pytest.fixture
def networks(hub: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine has another trained network of each family."""
    named = [f"tiny={tiny_i2ce(tmp_path / 'tiny.safetensors')}"]
    for family in ("nneval", "nneval_plus"):
        path = tmp_path / f"{family}.safetensors"
        score_network.write([replace(network(), family=family)], path)
        named.append(f"small={path}")
    monkeypatch.setenv(available.TRAINED, os.pathsep.join(named))


@pytest.fixture
def offered(networks: None, hub: Path) -> None:
    """And another transformer."""
    add_to_hub(hub, "me/small-bert", "bert")


def another(metric: str, field: OptionField) -> Any:
    """A value that is not the default."""
    if field.kind in options.FROM_A_LIST:
        return [one.value for one in options.offers(metric, field.name) if one.value != field.default][-1]
    if field.kind == "whole":
        return int(field.low) + 1
    return field.default - field.step if field.default - field.step > field.low else field.default + field.step


def test_the_options_of_every_metric_are_the_ones_meant_here() -> None:
    """A new metric or option must come with its own lines of metadata; this list grows with it."""
    assert {(metric, field.name) for metric, field in FIELDS} == {
        ("bleu", "smoothing"),
        ("rouge_l", "beta"),
        *(("meteor", name) for name in ["alpha", "beta", "gamma", "delta", "exact", "stem", "synonym", "paraphrase"]),
        *(("cider", name) for name in ("idf", "variant", "sigma")),
        *((metric, name) for metric in ("wmd", "wembsim") for name in ("combine", "vectors")),
        *(("bertscore", name) for name in ("model", "layer", "idf", "measure")),
        ("mima", "model"),
        ("spurts", "model"),
        ("smurf", "fusion"),
        ("i2ce", "model"),
        ("i2ce", "top_k"),
        *((metric, name) for metric in ("nneval", "nneval_plus") for name in ("variant", "model")),
    }


@each_field
def test_every_field_says_what_a_form_needs(metric: str, field: OptionField) -> None:
    assert field.kind in KINDS
    assert field.label[:1].isupper()
    assert field.help.endswith(".")
    assert len(field.label) <= 20  # fits above a widget
    assert (field.kind == "choice") <= (field.default in field.choices)
    assert all(field.choices.values())
    assert field.kind not in ("number", "whole") or field.low <= field.default <= (field.high or math.inf)
    assert options.allowed(metric, field.name, field.default)


@listed
def test_every_choice_is_accepted(metric: str, field: OptionField) -> None:
    offers = options.offers(metric, field.name)
    assert len({one.name for one in offers}) == len(offers)
    for one in offers:
        assert getattr(options.make(metric, {field.name: one.value}), field.name) == one.value
        assert options.allowed(metric, field.name, one.value)
        assert options.name_of(metric, field.name, one.value) == one.name


@listed
@pytest.mark.parametrize("value", NOT_ON_OFFER)
def test_a_visitor_cannot_name_a_path(metric: str, field: OptionField, value: str) -> None:
    assert not options.allowed(metric, field.name, value)
    with pytest.raises(InvalidInput, match=rf"{field.name}(: not on this machine)?; expected .*; found"):
        options.from_plain({metric: {field.name: value}})


def test_outside_the_choices_is_refused() -> None:
    closed = [(m, f) for m, f in FIELDS if f.kind == "choice" and not f.other]
    assert len(closed) == 8
    for metric, field in closed:
        for wrong in ("", "x", 3, None, ["none"]):
            with pytest.raises(
                InvalidInput, match=rf"{re.escape(registry.title(metric))}'s {field.name}; expected .* or .*; found"
            ):
                options.make(metric, {field.name: wrong})


@each_field
def test_numbers_stay_within_their_bounds(metric: str, field: OptionField) -> None:
    if field.kind not in ("number", "whole"):
        return
    kind: type = float if field.kind == "number" else int
    assert field.high is not None
    for bound in (field.low, field.high):
        assert getattr(options.make(metric, {field.name: kind(bound)}), field.name) == bound
    beyond = [kind(field.low - 1), kind(field.high + 1), 10**400, -(10**400)]
    for value in [*beyond, True, "1", None, math.nan, math.inf, *([0.5] if kind is int else [])]:
        with pytest.raises(InvalidInput, match=rf"{field.name}; expected a (whole )?number"):
            options.make(metric, {field.name: value})
        assert not options.allowed(metric, field.name, value)


def test_a_whole_number_given_for_a_number_becomes_one() -> None:
    made = options.make("rouge_l", {"beta": 2})
    assert type(made.beta) is float
    assert made == registry.of_metric("rouge_l").module().Options(beta=2)
    assert type(registry.of_metric("rouge_l").module().Options(beta=2).beta) is float


def test_a_flag_is_true_or_false() -> None:
    flag = OptionField("rescale", False, **yes_or_no("Rescale", "Whether."))
    assert [flag.check(value, "x") for value in (True, False)] == [True, False]
    for wrong in (0, 1, "true", None):
        with pytest.raises(InvalidInput, match="x; expected true or false; found"):
            flag.check(wrong, "x")


def test_what_is_not_an_option_is_refused() -> None:
    with pytest.raises(InvalidInput, match="BLEU has no option 'x'; expected one of smoothing"):
        options.make("bleu", {"x": 1})
    with pytest.raises(InvalidInput, match="SPARCS has no option 'x'; expected none: it has no options"):
        options.make("sparcs", {"x": 1})
    with pytest.raises(InvalidInput, match="expected none: it follows the options of CIDEr"):
        options.make("spider", {"idf": "coco"})
    with pytest.raises(InvalidInput, match="unknown metric 'blue'; expected one of bleu,"):
        options.make("blue")
    with pytest.raises(InvalidInput, match="a mapping or its Options; found Options"):
        options.make("bleu", options.default("cider"))


def test_a_layer_goes_up_to_the_models_depth(hub: Path) -> None:
    add_to_hub(hub, "me/small-bert", "bert")
    assert [available.depth(name) for name in ("minilm", "me/small-bert", "no-such-model")] == [6, 2, None]
    with pytest.raises(InvalidInput, match="BERTScore's layer; expected a whole number from 0 to 6; found 7"):
        options.make("bertscore", {"layer": 7})
    with pytest.raises(InvalidInput, match="BERTScore's layer; expected a whole number from 0 to 2; found 6"):
        options.make("bertscore", {"model": "me/small-bert"})
    assert options.make("bertscore", {"model": "no-such-model", "layer": 30}).layer == 30
    small = options.changed("bertscore", options.default("bertscore"), "model", "me/small-bert")
    assert (small.model, small.layer) == ("me/small-bert", 2)
    assert options.fields("bertscore", small)[1].high == 2
    back = options.changed("bertscore", small, "model", "minilm")
    assert (back.model, back.layer) == ("minilm", 2)


@each_field
@pytest.mark.usefixtures("offered")
def test_what_differs_goes_into_a_link_and_back(metric: str, field: OptionField) -> None:
    made = options.changed(metric, options.default(metric), field.name, another(metric, field))
    assert field.name in options.differing(metric, made)
    assert options.describe(metric, made).startswith(f"{field.label}: ")
    link = json.loads(json.dumps(options.to_plain({metric: made})))
    assert set(link[metric]) == set(options.differing(metric, made))
    assert options.from_plain(link) == {metric: made}


def test_defaults_need_no_words() -> None:
    chosen = {metric: options.default(metric) for metric in registry.metrics()}
    assert options.to_plain(chosen) == options.from_plain({}) == {}
    assert options.from_plain({"bleu": {}, "cider": {"idf": "auto"}}) == {}
    assert [options.describe(metric, made) for metric, made in chosen.items()] == [""] * len(chosen)


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        ([], "options; expected an object by metric name; found list"),
        ("cider", "found str"),
        ({"blue": {}}, "unknown metric 'blue'"),
        ({"bleu": "none"}, "options of bleu; expected an object; found str"),
        ({"bleu": {"smooth": "none"}}, "BLEU has no option 'smooth'"),
        ({"bleu": {"smoothing": {}}}, "BLEU's smoothing; expected none or lin-och; found {}"),
        ({"rouge_l": {"beta": "1.2"}}, "ROUGE-L's beta; expected a number from 0.01 to 100; found '1.2'"),
        ({"bertscore": {"layer": 9}}, "BERTScore's layer; expected a whole number from 0 to 6; found 9"),
        ({"wmd": {"vectors": "my-vectors"}}, "WMD's vectors: not on this machine; expected glove-6b-50d"),
        ({"cider": {"idf": "/data/mine.npz"}}, "expected auto, coco or corpus; found '/data/mine.npz'"),
    ],
)
def test_a_link_that_was_altered_is_refused(plain: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        options.from_plain(plain)


def test_a_path_of_this_machine_is_never_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("dog 1 2\nbeach 2 1\nsea 2 2\n", encoding="utf-8")
    unknown = options.make("wmd", {"vectors": str(file)})  # fine in Python and on the command line
    assert options.describe("wmd", unknown) == "Word vectors: mine.txt"
    with pytest.raises(InvalidInput, match="cannot go into a link"):
        options.to_plain({"wmd": unknown})
    monkeypatch.setenv(available.VECTORS, f"beach words={file}")
    assert options.to_plain({"wmd": unknown}) == {"wmd": {"vectors": "beach words"}}
    assert options.from_plain({"wmd": {"vectors": "beach words"}}) == {"wmd": unknown}
    assert options.describe("wmd", unknown) == "Word vectors: beach words"
    assert str(tmp_path) not in evaluate([ITEM], ["wmd"], options={"wmd": unknown}).signatures["wmd"]


@each_field
@pytest.mark.usefixtures("offered")
def test_options_objects_reach_scores_explanations_and_signatures(metric: str, field: OptionField) -> None:
    made = options.changed(metric, options.default(metric), field.name, another(metric, field))
    key, chosen = registry.of_metric(metric).key, {metric: made}
    found = evaluate([ITEM], [key], options=chosen)
    assert not found.skipped
    assert found.signatures[key] != evaluate([ITEM], [key]).signatures[key]
    for context in (None, found.context):
        again = explain(ITEM, key, options=chosen, context=context)
        assert again.signature == found.signatures[key]
        np.testing.assert_allclose(again.value, found.scores[key][0], atol=1e-6)


def test_metrics_made_of_others_follow_their_options() -> None:
    cider = options.make("cider", {"idf": "coco"})
    assert options.behind("spider", {"cider": cider, "bleu": {"smoothing": "lin-och"}}) == {
        "spice": options.default("spice"),
        "cider": cider,
        "spider": options.default("spider"),
    }
    assert options.follows("smurf") == ["spurts", "mima"]
    assert options.with_parts(["spider", "bleu_1", "bleu_4", "sparcs"]) == ["bleu", "cider"]
    assert options.with_parts(["smurf"]) == ["spurts", "mima", "smurf"]


def test_which_scores_depend_on_the_batch() -> None:
    dependent = {"cider": {"idf": "corpus"}, "bertscore": {"idf": "references"}}
    for metric, values in dependent.items():
        assert options.depends_on_batch(metric, options.make(metric, values))
        assert not options.depends_on_batch(metric, options.default(metric))
