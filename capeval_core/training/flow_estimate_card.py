"""The model card of the typicality estimate."""

from __future__ import annotations

from collections.abc import Mapping

_CARD = """# Typicality estimate

MIMA and SPURTS as the paper's transformers (distilbert-base-uncased, distilroberta-base) would give them, estimated
from all-MiniLM-L6-v2, for machines that have only the latter. For English image captions: for other text the estimate
falls back towards the mean of its training data. Where the real transformers are present they are used instead.

**Data.** `{data}`: {count} captions of COCO images by people and three captioners, with the values the authors of SMURF
(Feinglass and Yang 2021) published for them. COCO annotations are CC BY 4.0.

**Method.** Two passes through MiniLM, with stop words and without. Features: the information flow of every head, the
strongest and mean flow of each layer, mean vectors of what enters layers {layers}, lengths, and the places of
stop words; standardised, each group weighted as a whole, on their principal axes. Kernel ridge regression: a
Gaussian kernel on the axes plus a linear one on the features. Axes and captions are stored as bytes. {settings}
Repeat: `python -m capeval_core train typicality --data {data} --out typicality.safetensors`.

**Figures**, cross-validated: no image has captions on both sides. "Never seen": captions whose wording is in no
training fold. "Left out": a captioner of which the model saw no caption (its images' other captions it did see).

| figure | value |
| --- | --- |
{figures}

**People's captions by the plain method on MiniLM** (mean, standard deviation over `{data}`'s human
captions; SMURF's constants for model=minilm): {standards}.
"""


def text(
    data: str,
    count: int,
    layers: str,
    settings: Mapping[str, object],
    figures: Mapping[str, float],
    standards: Mapping[str, tuple[float, float]],
) -> str:
    return _CARD.format(
        data=data,
        count=f"{count:,}",
        layers=layers,
        settings="Settings: " + ", ".join(f"{name} {value}" for name, value in settings.items()) + ".",
        figures="\n".join(f"| {name} | {value:.4f} |" for name, value in figures.items()),
        standards=", ".join(f"{key} {mean:.6f} / {deviation:.6f}" for key, (mean, deviation) in standards.items()),
    )
