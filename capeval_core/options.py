"""The options of the metrics, for forms, links, --set and Python: one place that makes and checks them.

A visitor of the app chooses from what `offers` lists and never types a path; a link carries the name of a thing, never
where it lies on this machine. What each field may hold stands beside it, in the metric's `Options`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from capeval_core import registry
from capeval_core.errors import InvalidInput
from capeval_core.option_fields import Checked, option_fields, spell
from capeval_core.option_fields import OptionField as OptionField
from capeval_core.resources import available, trained
from capeval_core.resources.available import Available

FROM_A_LIST = ("choice", "vectors", "model", "trained")  # kinds of fields a visitor sets by choosing


def fields(metric: str, chosen: Any = None) -> tuple[OptionField, ...]:
    """The options of a metric by its name ("bleu", "cider"). A layer goes up to the last of the model in the chosen
    options (else in the default), where its depth is known."""
    found = option_fields(_kind(metric))
    if not any(one.depth_of for one in found):
        return found
    chosen = default(metric) if chosen is None else chosen
    return tuple(
        dataclasses.replace(one, high=available.depth(getattr(chosen, one.depth_of))) if one.depth_of else one
        for one in found
    )


def default(metric: str) -> Any:
    return _kind(metric)()


def make(metric: str, values: Any = None) -> Any:
    """The metric's Options of a mapping of some of its fields (an Options object is handed back)."""
    kind, title = _kind(metric), registry.title(metric)
    if isinstance(values, kind):
        return values
    if not isinstance(values, Mapping | None):
        raise InvalidInput(f"{title}'s options", expected="a mapping or its Options", found=type(values).__name__)
    known = {one.name: one for one in option_fields(kind)}
    for name in values or {}:
        if name not in known:
            raise InvalidInput(f"{title} has no option {name!r}", expected=names(metric))
    made = kind(**{name: known[name].check(value, f"{title}'s {name}") for name, value in (values or {}).items()})
    for one in fields(metric, made):
        one.check(getattr(made, one.name), f"{title}'s {one.name}")
    return made


def changed(metric: str, options: Any, name: str, value: Any) -> Any:
    """With one option set anew; a layer that another model does not have becomes that model's last."""
    values = {one.name: getattr(options, one.name) for one in fields(metric)} | {name: value}
    for one in fields(metric, _kind(metric)(**values)):
        if one.depth_of == name and one.high is not None:
            values[one.name] = min(values[one.name], int(one.high))
    return make(metric, values)


def with_parts(keys: Iterable[str]) -> list[str]:
    """The metrics, by name, whose options the scores of these keys depend on; those without options left out."""
    wanted = {name for key in keys for name in registry.get(key).behind}
    return [name for name in registry.metrics() if name in wanted and fields(name)]


def follows(metric: str) -> list[str]:
    """The metrics, by name, whose options it takes beside its own."""
    return [part for part in registry.of_metric(metric).parts if fields(part)]


def names(metric: str) -> str:
    """What may be set, for messages."""
    own, others = [one.name for one in fields(metric)], [registry.title(part) for part in follows(metric)]
    none = f"none: it follows the options of {', '.join(others)}" if others else "none: it has no options"
    return f"one of {', '.join(own)}" if own else none


def behind(metric: str, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """All options a metric's score depends on, by metric name: its own and those of the metrics it is made of."""
    return {name: make(name, (given or {}).get(name)) for name in registry.of_metric(metric).behind}


def differing(metric: str, options: Any) -> dict[str, Any]:
    """What is not the default."""
    values = {one.name: getattr(options, one.name) for one in fields(metric)}
    return {one.name: values[one.name] for one in fields(metric) if values[one.name] != one.default}


def depends_on_batch(metric: str, options: Any) -> bool:
    """Would the same caption score otherwise among other captions? (idf counted on the batch)"""
    return any(getattr(options, one.name) in one.of_batch for one in fields(metric))


def offers(metric: str, name: str) -> tuple[Available, ...]:
    """What a visitor chooses from: the choices of a field and, where it names vectors or a model, this machine's."""
    one = _field(metric, name)
    found = [Available(value, value, words) for value, words in one.choices.items()]
    if one.kind == "vectors":
        found += available.vectors(contextual=one.contextual)
    if one.kind == "model":
        found += available.models()
    if one.kind == "trained":
        found += available.trained(one.family)
    return tuple(found)


def allowed(metric: str, name: str, value: Any) -> bool:
    """May a visitor set this? A path is never allowed, unless whoever started the app named it."""
    one = _field(metric, name)
    if one.kind in FROM_A_LIST:
        return any(value == offer.value for offer in offers(metric, name)) or _own(one, value)
    try:
        one.check(value, "")
    except InvalidInput:
        return False
    return True


def name_of(metric: str, name: str, value: Any) -> Any:
    """How a value is shown: vectors and models by their name, never by a path of this machine."""
    if _field(metric, name).kind not in FROM_A_LIST:
        return value
    if _own(_field(metric, name), value):
        return value
    return next((one.name for one in offers(metric, name) if one.value == value), Path(value).name)


def describe(metric: str, options: Any) -> str:
    """What differs from the default, in a few words; nothing where nothing does."""
    labels = {one.name: one.label for one in fields(metric)}
    found = differing(metric, options).items()
    return ", ".join(f"{labels[name]}: {_shown(name_of(metric, name, value))}" for name, value in found)


def _shown(value: Any) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def to_plain(chosen: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Options by metric name as JSON for a link: only what differs from the defaults, things by their names."""
    plain = {}
    for metric, options in chosen.items():
        values = differing(metric, options)
        for name, value in values.items():
            if not allowed(metric, name, value):
                where = f"{registry.title(metric)}'s {name} cannot go into a link"
                raise InvalidInput(where, expected="what this machine offers", found="something else")
        if values:
            plain[metric] = {name: name_of(metric, name, value) for name, value in values.items()}
    return plain


def from_plain(plain: Any) -> dict[str, Any]:
    """The options of a link; InvalidInput where it holds anything that a visitor could not have chosen here."""
    if not isinstance(plain, Mapping):
        raise InvalidInput("options", expected="an object by metric name", found=type(plain).__name__)
    found = {}
    for metric, values in plain.items():
        if not isinstance(values, Mapping):
            raise InvalidInput(f"options of {metric}", expected="an object", found=type(values).__name__)
        made = make(metric, {name: _value(metric, name, value) for name, value in values.items()})
        if differing(metric, made):
            found[metric] = made
    return found


def _value(metric: str, name: str, shown: Any) -> Any:
    kind = _field(metric, name).kind
    if kind not in FROM_A_LIST:
        return shown
    on_offer = offers(metric, name)
    for one in on_offer:
        if one.name == shown:
            return one.value
    if _own(_field(metric, name), shown):
        return shown
    where = f"{registry.title(metric)}'s {name}" + ("" if kind == "choice" else ": not on this machine")
    raise InvalidInput(where, expected=spell([one.name for one in on_offer]), found=repr(shown)[:80])


def _own(one: OptionField, value: Any) -> bool:
    """A model that was trained in the app: its name is its address, and who has it may use it."""
    return one.kind == "trained" and isinstance(value, str) and trained.kept(one.family, value)


def _field(metric: str, name: str) -> OptionField:
    for one in fields(metric):
        if one.name == name:
            return one
    raise InvalidInput(f"{registry.title(metric)} has no option {name!r}", expected=names(metric))


def _kind(metric: str) -> type[Checked]:
    found: type[Checked] = registry.of_metric(metric).module().Options
    return found
