"""The model card of the typicality estimate."""

from __future__ import annotations

from collections.abc import Mapping

from capeval_core.metrics.typicality.reliability import Reliability
from capeval_core.training.flow_estimate_error import CHANGES, ENOUGH, FIT, METRICS, UNTESTED, Changed, Found

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

{errors}

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
    errors: str,
) -> str:
    return _CARD.format(
        data=data,
        count=f"{count:,}",
        layers=layers,
        settings="Settings: " + ", ".join(f"{name} {value}" for name, value in settings.items()) + ".",
        figures="\n".join(f"| {name} | {value:.4f} |" for name, value in figures.items()),
        errors=errors,
        standards=", ".join(f"{key} {mean:.6f} / {deviation:.6f}" for key, (mean, deviation) in standards.items()),
    )


_ERRORS = """**Error.** Of captions never seen in training, {share:.0%} are estimated to within {error}.
The mean of a captioner of which no caption was learned from is off by at most {mean}.
A caption whose likeness to the nearest one learned from (the kernel, 0 to 1) is below {likeness:.4f} is called unlike
them: {unlike:.0%} of the captions never seen are; of those {share:.0%} are estimated to within
{far}. These figures are in the file's metadata; the app shows them beside the scores.

**Changes of words.** Where two published captions differ as a change makes them differ, both true values are known. Of
the true change (its squares) the estimate, fitted without either caption, finds (1: all; 0: as if nothing changed):

| two captions differ by | pairs | {names} | kinds of change like it |
| --- | --- | {rules} | --- |
{found}

Fit for a kind of change: at least {enough} pairs and {fit:.0%} of the change found. No two published captions differ
like these kinds, so nobody knows: {untested}. The app says so where it shows such a change.
"""
_CHANGED = """
**Changed captions.** {captions} captions by people, changed by CapEval: mean change in people's standard deviations by
the estimate and by MiniLM's own value (the plain method), the correlation of the two over the captions, and the share
of changed captions that are unlike what was learned from. The true values are not known; where the two disagree, one of
them is wrong.

| kind | captions | MIMA estimate | MiniLM | r | SPURTS estimate | MiniLM | r | unlike |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
{rows}
"""


def errors_text(known: Reliability, found: Mapping[str, Found], changed: Mapping[str, Changed]) -> str:
    said = _ERRORS.format(
        share=known.share,
        error=_by_metric(known.error),
        mean=_by_metric(known.mean_error, 4),
        likeness=known.likeness,
        unlike=known.unlike,
        far=_by_metric(known.unlike_error),
        names=" | ".join(key.upper() for key in METRICS),
        rules=" | ".join("---" for _ in METRICS),
        found="\n".join(
            f"| {name} | {one.pairs:,} | {' | '.join(f'{one.share[key]:.2f}' for key in METRICS)} | "
            f"{', '.join(CHANGES[name])} |"
            for name, one in found.items()
        ),
        enough=ENOUGH,
        fit=FIT,
        untested=", ".join(UNTESTED),
    )
    if not changed:
        return said.rstrip()
    rows = "\n".join(
        f"| {kind} | {one.captions} | "
        + " | ".join(
            f"{one.estimate[key]:+.2f} | {one.plain[key]:+.2f} | {one.agreement[key]:.2f}" for key in ("mima", "spurts")
        )
        + f" | {one.unlike:.0%} |"
        for kind, one in changed.items()
    )
    return (said + _CHANGED.format(captions=max(one.captions for one in changed.values()), rows=rows)).rstrip()


def _by_metric(values: Mapping[str, float], digits: int = 3) -> str:
    return ", ".join(f"{value:.{digits}f} ({key.upper()})" for key, value in values.items())
