"""evaluate(), explain() and resolve(): the one door for pages, the command line and notebooks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from capeval_core import options as metric_options
from capeval_core import pace, registry
from capeval_core.errors import CapEvalError, InvalidInput, MetricFailed
from capeval_core.registry import Metric, MetricSpec
from capeval_core.resources import files
from capeval_core.shared import Shared
from capeval_core.text import unknown
from capeval_core.types import CaptionItem, Evaluation, Explanation, Progress, Remark
from capeval_core.version import VERSION

# By metric name ("bleu", "cider"): an Options instance or a mapping of its fields.
MetricOptions = Mapping[str, Any]
NO_REFERENCES = "This metric compares with reference captions and the item has none."


def evaluate(
    items: Iterable[CaptionItem],
    metrics: Iterable[str] | None = None,
    *,
    options: MetricOptions | None = None,
    device: str = "auto",
    on_progress: Progress | None = None,
    context: Mapping[str, Any] | None = None,
) -> Evaluation:
    """Scores every item by every metric (all of them for None). With the `context` of another evaluation, what depends
    on the batch (CIDEr's idf) is that one's.

    A metric whose resource is missing, or that breaks, lands in `.skipped` with its reason; the others still score.
    Invalid input (no such metric, a wrong option, an item of the wrong type) raises InvalidInput.
    """
    specs = registry.select(metrics)
    evaluation = Evaluation(items=_checked(items))
    shared = Shared(device=device, context=context, on_progress=on_progress, options=chosen_options(specs, options))
    with_references = [item for item in evaluation.items if item.references]
    for name in dict.fromkeys(spec.metric for spec in specs):
        group = [spec for spec in specs if spec.metric == name]
        rows = with_references if group[0].needs_references else evaluation.items
        with skipping(group, evaluation.skipped):
            _score(evaluation, group, rows, shared)
    return evaluation


@contextmanager
def skipping(specs: Sequence[MetricSpec], skipped: dict[str, CapEvalError]) -> Iterator[None]:
    """What a metric breaks on within goes to `skipped`; bad input is the caller's."""
    try:
        yield
    except InvalidInput:
        raise
    except CapEvalError as error:
        skipped.update({spec.key: error for spec in specs})
    except Exception as error:  # one metric's bug must not cost the user the other metrics' scores
        failed = MetricFailed(f"{specs[0].label} failed", found=f"{type(error).__name__}: {error}")
        failed.__cause__ = error
        skipped.update({spec.key: failed for spec in specs})


def explain(
    item: CaptionItem,
    key: str,
    *,
    options: MetricOptions | None = None,
    device: str = "auto",
    context: Mapping[str, Any] | None = None,
) -> Explanation:
    """The evidence for one number. Pass an evaluation's `.context`, or resolve()'s, to explain a score among others."""
    spec = registry.get(key)
    (item,) = _checked([item])
    if spec.needs_references and not item.references:
        raise InvalidInput(f"{spec.label} cannot be explained", expected="at least one reference", found="none")
    shared = Shared(device=device, context=context, options=chosen_options([spec], options))
    metric = _make(spec, [item], shared)
    found = metric.explain(item, key)
    note = joined(found.note, *_unknown_notes(metric, spec, [item]).values())
    return dataclasses.replace(
        found, key=key, signature=_signature(spec, shared), stand_in=_ask(metric, "stand_in", key), note=note
    )


def resolve(
    items: Iterable[CaptionItem], key: str, *, options: MetricOptions | None = None, device: str = "auto"
) -> dict[str, Any]:
    """What a score among these items depends on beside its own item (CIDEr's idf), for explain(); nothing is scored."""
    spec = registry.get(key)
    shared = Shared(device=device, options=chosen_options([spec], options))
    _resolve(spec, [item for item in _checked(items) if item.references or not spec.needs_references], shared)
    return shared.context


def _score(evaluation: Evaluation, specs: Sequence[MetricSpec], items: Sequence[CaptionItem], shared: Shared) -> None:
    metric = _make(specs[0], items, shared)
    scored = np.array([bool(item.references) or not specs[0].needs_references for item in evaluation.items], dtype=bool)
    places = np.flatnonzero(scored)
    result = shared.scored(specs[0].metric, metric, items) if items else None
    strange = _unknown_notes(metric, specs[0], items)
    for spec in specs:
        values = np.full(len(scored), np.nan)
        notes = dict.fromkeys(np.flatnonzero(~scored).tolist(), NO_REFERENCES)
        if result:
            values[places] = result.segments[spec.key]
            notes |= {int(places[row]): note for row, note in result.notes.items()}
            notes |= {int(places[row]): joined(result.notes.get(row, ""), note) for row, note in strange.items()}
        evaluation.scores[spec.key] = values
        evaluation.notes[spec.key] = notes
        evaluation.signatures[spec.key] = _signature(spec, shared)
        if stand_in := _ask(metric, "stand_in", spec.key):
            evaluation.stand_ins[spec.key] = stand_in
        facts = [one for one in (_ask(metric, "remark", items), _unknown_remark(metric, items, len(strange))) if one]
        evaluation.facts[spec.key] = tuple(facts)
        if remark := said(facts):
            evaluation.remarks[spec.key] = remark
    evaluation.add_statistics(specs[0].metric, [spec.key for spec in specs], metric, places, result)
    if specs[0].metric in shared.context:
        evaluation.context[specs[0].metric] = shared.context[specs[0].metric]


def _make(spec: MetricSpec, items: Sequence[CaptionItem], shared: Shared) -> Metric:
    """The metric, with what depends on the batch resolved first (unless the caller brought it along)."""
    if spec.metric not in shared.context:
        _resolve(spec, items, shared)
    return spec.load()(shared.options[spec.metric], shared)


def _resolve(spec: MetricSpec, items: Sequence[CaptionItem], shared: Shared) -> None:
    found = _ask(spec.load(), "resolve", shared.options[spec.metric], items, shared)
    if found is not None:
        shared.context[spec.metric] = found


def _ask(one: Any, what: str, *given: Any) -> Any:
    """Only some metrics depend on the batch, use a stand-in, or have a fact to tell of the batch."""
    return getattr(one, what)(*given) if hasattr(one, what) else None


def _unknown_notes(metric: Metric, spec: MetricSpec, items: Sequence[CaptionItem]) -> dict[int, str]:
    """By row: that the metric's resource does not know many of the words (they are in another language, say)."""
    ask: Callable[[str], unknown.Unknown] | None = getattr(metric, "unknown", None)
    if ask is None:
        return {}
    ask = cache(ask)
    found = {
        row: unknown.note(item.candidate, item.references if spec.needs_references else (), ask)
        for row, item in enumerate(pace.each(items))
    }
    return {row: note for row, note in found.items() if note}


def _unknown_remark(metric: Metric, items: Sequence[CaptionItem], noted: int) -> Remark | None:
    if not items or not hasattr(metric, "unknown"):
        return None
    source = _ask(metric, "unknown", items[0].candidate).source
    return Remark(unknown.remark(source), (noted, len(items)), if_any=True)


def said(facts: Iterable[Remark]) -> str:
    """What is said of a batch, in words."""
    return joined(*(str(one) for one in facts if one.said))


def joined(*notes: str) -> str:
    """Notes as one, with a full stop at most at its end."""
    *earlier, last = [note for note in notes if note] or [""]
    return "; ".join([*(note.removesuffix(".") for note in earlier), last])


def _signature(spec: MetricSpec, shared: Shared) -> str:
    """Key, options (a batch's context in place of the option that asked for it), tokenizer, resources, version."""
    parts: dict[str, Any] = {}
    for name in spec.behind:
        parts |= dataclasses.asdict(shared.options[name])
    parts["tok"] = spec.tokenizer
    if spec.resources and not {"model", "vectors"} & parts.keys():  # such an option has named its resource already
        parts["res"] = "+".join(map(files.label, spec.resources))
    if spec.metric in shared.context:  # may name another resource than the registry's: a model of the user's choice
        parts |= shared.context[spec.metric].signature()
    return "|".join([spec.key, *(f"{name}:{value}" for name, value in parts.items()), f"v:{VERSION}"])


def chosen_options(specs: Iterable[MetricSpec], given: MetricOptions | None) -> dict[str, Any]:
    """By metric name: of the chosen metrics and of those they are made of."""
    for name in given or {}:
        registry.of_metric(name)
    found: dict[str, Any] = {}
    for spec in specs:
        found |= metric_options.behind(spec.metric, given)
    return found


def _checked(items: Iterable[CaptionItem]) -> tuple[CaptionItem, ...]:
    found = tuple(items)
    for row, item in enumerate(found):
        if not isinstance(item, CaptionItem):
            raise InvalidInput(f"item {row}", expected="a CaptionItem", found=type(item).__name__)
        texts = {"image_id": item.image_id, "candidate": item.candidate, "system": item.system}
        for name, text in texts.items():
            if not isinstance(text, str):
                raise InvalidInput(f"item {row}: {name}", expected="text", found=type(text).__name__)
        if not isinstance(item.references, tuple) or not all(isinstance(text, str) for text in item.references):
            raise InvalidInput(f"item {row}: references", expected="a tuple of texts", found=repr(item.references)[:80])
    return found
