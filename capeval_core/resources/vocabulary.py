"""Which tokens of a text a transformer knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capeval_core.text.unknown import Unknown, of_tokens

if TYPE_CHECKING:
    from capeval_core.resources.transformer import Transformer

UNKNOWN = ("[UNK]", "<unk>")  # BERT's and RoBERTa's token for what is in no vocabulary


def unknown_tokens(model: Transformer, text: str) -> Unknown:
    text = text.strip()
    found = model.encode(text)
    lost = [token in UNKNOWN for token in found.tokens]
    kept = [place for place, own in enumerate(found.special) if lost[place] or not own]
    return of_tokens(text, [found.spans[place] for place in kept], [lost[place] for place in kept], model.name)
