"""What a visitor did in one of our components: numbered events, sent again until they were seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def new_events(sent: Any, seen: int) -> list[Mapping[str, Any]]:
    """The events that were not done yet, in order. Nonsense is left out, not trusted."""
    events = sent if isinstance(sent, list) else []
    numbered = [event for event in events if isinstance(event, Mapping) and isinstance(event.get("n"), int)]
    return [event for event in numbered if event["n"] > seen]


def texts_of(event: Mapping[str, Any]) -> list[str]:
    texts = event.get("texts")
    return [text for text in texts if isinstance(text, str)] if isinstance(texts, list) else []
