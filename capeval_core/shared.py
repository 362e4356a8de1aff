"""Shared: what several metrics need, computed once per evaluation and on unique captions only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from capeval_core.text import ptb

if TYPE_CHECKING:
    from capeval_core.text.ngrams import NgramBatch
    from capeval_core.types import CaptionItem

T = TypeVar("T")
Progress = Callable[[str, int, int], None]  # stage, done, total


class Shared:
    """`context` holds what metrics resolved from the whole batch before scoring (CIDEr's idf table), by metric name."""

    def __init__(
        self,
        device: str = "auto",
        context: Mapping[str, Any] | None = None,
        on_progress: Progress | None = None,
    ) -> None:
        self.device = device
        self.context: dict[str, Any] = dict(context or {})
        self._on_progress = on_progress
        self._tokens: dict[str, str] = {}
        self._ngrams: tuple[Sequence[CaptionItem], NgramBatch] | None = None

    def tokens(self, caption: str) -> str:
        """The COCO toolkit's tokens, joined by single spaces (a token may hold a no-break space: `1 1/2`)."""
        found = self._tokens.get(caption)
        if found is None:
            found = self._tokens[caption] = ptb.tokenize(caption)
        return found

    def ngrams(self, items: Sequence[CaptionItem]) -> NgramBatch:
        """The batch's n-grams; metrics that are handed the same list share one table."""
        if self._ngrams is None or self._ngrams[0] is not items:
            from capeval_core.text.ngrams import NgramBatch

            tokens = self.tokens
            pairs = [(tokens(item.candidate), [tokens(text) for text in item.references]) for item in items]
            self._ngrams = (items, NgramBatch(pairs))
        return self._ngrams[1]

    def track(self, stage: str, things: Iterable[T], total: int) -> Iterator[T]:
        """Yield `things`, reporting progress about a hundred times on the way."""
        step = max(1, total // 100)
        for done, thing in enumerate(things):
            if self._on_progress and done % step == 0:
                self._on_progress(stage, done, total)
            yield thing
