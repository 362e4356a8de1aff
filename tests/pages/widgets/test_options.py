"""The options form: every field of every metric reaches the caller's options, and only what is on offer does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from capeval_core import options, registry
from capeval_core.option_fields import OptionField
from capeval_core.resources import trained
from pages.widgets import options as widget
from tests.resources.test_available import add_to_hub
from tests.resources.test_sentence_model import tiny_i2ce
from tests.test_options import FIELDS, another, networks, offered

__all__ = ["networks", "offered"]  # fixtures


def script() -> None:
    import streamlit as st

    from pages.widgets import options as widget

    st.session_state["returned"] = widget.form(st.session_state["keys"], st.session_state["mine"], "test")


def opened(*keys: str, **mine: Any) -> AppTest:
    app = AppTest.from_function(script, default_timeout=30)
    app.session_state["keys"], app.session_state["mine"] = list(keys or registry.keys()), mine
    return app.run()


def widget_of(app: AppTest, metric: str, name: str) -> Any:
    start = f"test {metric} {name} "
    (found,) = (one for one in [*app.selectbox, *app.number_input] if str(one.key).startswith(start))
    return found


def put(app: AppTest, metric: str, field: OptionField, value: Any) -> None:
    if field.kind in options.FROM_A_LIST:
        value = options.name_of(metric, field.name, value)
    widget_of(app, metric, field.name).set_value(value).run()
    assert not app.exception


@pytest.mark.parametrize(("metric", "field"), FIELDS, ids=lambda part: getattr(part, "name", part))
@pytest.mark.usefixtures("offered")
def test_every_field_of_every_metric_can_be_changed(metric: str, field: OptionField) -> None:
    app, value = opened(registry.of_metric(metric).key), another(metric, field)
    put(app, metric, field, value)
    made = app.session_state["mine"][metric]
    assert made == options.changed(metric, options.default(metric), field.name, value)
    assert app.session_state["returned"] == {metric: made}
    assert f"{registry.title(metric)}: {options.describe(metric, made)}" in app.text[0].value
    put(app, metric, field, field.default)  # back to the default: nothing differs, nothing is kept
    left = app.session_state["mine"].get(metric)
    assert field.name not in (options.differing(metric, left) if left else {})


@pytest.mark.usefixtures("networks")
def test_all_fields_at_once_then_reset() -> None:
    app = opened()
    changed = [(metric, field) for metric, field in FIELDS if (metric, field.name) != ("bertscore", "model")]
    for metric, field in changed:
        put(app, metric, field, another(metric, field))
    mine = app.session_state["mine"]
    assert {(metric, name) for metric, made in mine.items() for name in options.differing(metric, made)} == {
        (metric, field.name) for metric, field in changed
    }
    assert options.from_plain(options.to_plain(mine)) == mine
    app.button(key="test reset").click().run()
    assert app.session_state["mine"] == {}
    assert app.text[0].value == "All as in the default."
    assert widget_of(app, "cider", "idf").value == "auto"
    assert widget_of(app, "rouge_l", "beta").value == 1.2


def test_the_widgets_show_what_the_caller_has() -> None:
    app = opened("rouge_l", "cider", rouge_l=options.make("rouge_l", {"beta": 2.0}))
    assert widget_of(app, "rouge_l", "beta").value == 2.0
    app.session_state["mine"]["rouge_l"] = options.make("rouge_l", {"beta": 3.0})  # by a link, say
    app.session_state["mine"]["cider"] = options.make("cider", {"idf": "corpus"})
    app.run()
    assert widget_of(app, "rouge_l", "beta").value == 3.0
    assert widget_of(app, "cider", "idf").value == "corpus"


def test_a_smaller_model_takes_the_layer_along(hub: Path) -> None:
    add_to_hub(hub, "me/small-bert", "bert")
    app = opened("bertscore")
    assert widget_of(app, "bertscore", "layer").max == 6
    widget_of(app, "bertscore", "model").set_value("me/small-bert").run()
    assert not app.exception
    assert (widget_of(app, "bertscore", "layer").max, widget_of(app, "bertscore", "layer").value) == (2, 2)
    assert app.session_state["mine"]["bertscore"].layer == 2


def test_metrics_made_of_others_show_the_options_they_follow() -> None:
    app = opened("spider", "smurf", "spice")
    assert [one.label for one in app.expander] == ["CIDEr", "SPURTS", "MIMA", "SMURF"]
    assert [one.value for one in app.caption] == [
        "SPIDEr follows the options of CIDEr.",
        "SMURF follows the options of SPURTS and MIMA.",
    ]
    assert opened("sparcs").expander == []


def test_what_is_not_on_offer_is_never_written() -> None:
    mine: dict[str, Any] = {}
    for metric, name, value in (
        ("wmd", "vectors", "/etc/passwd"),
        ("bertscore", "model", "/models/secret"),
        ("cider", "idf", "/data/table.npz"),
        ("rouge_l", "beta", -1.0),
        ("bleu", "smoothing", "x"),
    ):
        widget._set(mine, metric, name, value)
    assert mine == {}


def test_a_model_that_has_gone_is_still_shown_by_name(hub: Path) -> None:
    gone = options.make("mima", {"model": "/models/that/has/gone"})
    app = opened("mima", mima=gone)
    assert not app.exception
    assert app.text[0].value == "MIMA: Transformer: gone"
    assert "/models" not in repr(app.main)
    widget_of(app, "mima", "model").set_value("minilm").run()
    assert app.session_state["mine"]["mima"].model == "minilm"


def test_a_network_trained_by_this_visitor_is_shown_and_can_be_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAPEVAL_CACHE", str(tmp_path))
    own = trained.keep(tiny_i2ce(tmp_path / "tiny.safetensors"), "i2ce")
    app = opened("i2ce", i2ce=options.make("i2ce", {"model": own}))
    assert not app.exception
    assert widget_of(app, "i2ce", "model").value == own
    widget_of(app, "i2ce", "model").set_value("shipped").run()
    assert app.session_state["mine"] == {}
    assert own not in str(widget_of(app, "i2ce", "model").options)  # on no list
