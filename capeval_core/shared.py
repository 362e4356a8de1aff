"""Shared: what several metrics need, computed once per evaluation and on unique captions only."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from capeval_core import pace
from capeval_core.text import ptb
from capeval_core.types import CaptionItem, MetricResult, Progress

if TYPE_CHECKING:
    from capeval_core.resources.transformer import Transformer
    from capeval_core.text.ngrams import NgramBatch
    from capeval_core.text.parse import Parse

T = TypeVar("T")


class Scorer(Protocol):
    """What Shared needs of a metric."""

    options: Any

    def score(self, items: Sequence[CaptionItem]) -> MetricResult: ...


PARSED_AT_ONCE = 1_000


class Shared:
    """By metric name: `context` holds what metrics resolved from the whole batch before scoring (CIDEr's idf table),
    `options` what was chosen, for metrics that are made of others."""

    def __init__(
        self,
        device: str = "auto",
        context: Mapping[str, Any] | None = None,
        on_progress: Progress | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.device = device
        self.context: dict[str, Any] = dict(context or {})
        self.options: dict[str, Any] = dict(options or {})
        self.on_progress = on_progress
        self._tokens: dict[str, str] = {}
        self._parses: dict[str, tuple[Parse, ...]] = {}
        self._tables: dict[tuple[str, ...], dict[str, Any]] = {}
        self._once: dict[str, tuple[Sequence[CaptionItem], Any]] = {}

    def tokens(self, caption: str) -> str:
        """The COCO toolkit's tokens, joined by single spaces (a token may hold a no-break space: `1 1/2`)."""
        found = self._tokens.get(caption)
        if found is None:
            pace.look()
            found = self._tokens[caption] = ptb.tokenize(caption)
        return found

    def once(self, name: str, items: Sequence[CaptionItem], make: Callable[[], T]) -> T:
        """What several metrics make of one batch: metrics that are handed the same list share it."""
        if name not in self._once or self._once[name][0] is not items:
            self._once[name] = (items, make())
        found: T = self._once[name][1]
        return found

    def scored(self, name: str, metric: Scorer, items: Sequence[CaptionItem]) -> MetricResult:
        """A metric's result for a batch, computed once: for itself, and for metrics that are made of it. Equal options
        (with what they became for this batch) give equal results."""
        chosen = dataclasses.asdict(metric.options)
        context = getattr(metric, "context", None)
        chosen |= context.signature() if context is not None else {}
        return self.once(f"{name} {sorted(chosen.items())}", items, lambda: metric.score(items))

    def ngrams(self, items: Sequence[CaptionItem]) -> NgramBatch:
        from capeval_core.text.ngrams import NgramBatch

        def make() -> NgramBatch:
            return NgramBatch(
                [(self.tokens(item.candidate), list(map(self.tokens, item.references))) for item in items]
            )

        return self.once("ngrams", items, make)

    def parses(self, captions: Iterable[str]) -> list[tuple[Parse, ...]]:
        """The sentences of each caption, parsed from its COCO tokens; each distinct text once."""
        texts = [self.tokens(caption) for caption in captions]
        new = [text for text in dict.fromkeys(texts) if text not in self._parses]
        if new:
            from capeval_core.resources import device
            from capeval_core.resources.caption_parser import caption_parser

            parser = caption_parser(device.choose(self.device))
            new.sort(key=len)  # captions of one length are parsed together
            parts = [new[start : start + PARSED_AT_ONCE] for start in range(0, len(new), PARSED_AT_ONCE)]
            for part in self.track("Parsing", parts, len(parts)):
                self._parses.update(zip(part, parser.parse(part), strict=True))
        return [self._parses[text] for text in texts]

    def transformer(self, model: str) -> Transformer:
        """A transformer (minilm, a folder, a name of the local hub cache) on this evaluation's device."""
        from capeval_core.resources import device
        from capeval_core.resources.transformer import open_transformer

        return open_transformer(model, device.choose(self.device))

    def table(self, *name: str) -> dict[str, Any]:
        """Kept under this name as long as the evaluation lasts: what one metric puts there the others find."""
        return self._tables.setdefault(name, {})

    def track(self, stage: str, things: Iterable[T], total: int) -> Iterator[T]:
        """Yield `things`, reporting progress about a hundred times on the way."""
        step = max(1, total // 100)
        for done, thing in enumerate(things):
            if self.on_progress and done % step == 0:
                self.on_progress(stage, done, total)
            pace.look()
            yield thing
