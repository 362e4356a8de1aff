"""What the clouds say, in words: who stands apart on each axis, and what an ellipse can and cannot tell."""

from __future__ import annotations

import math

from capeval_core import registry
from capeval_core.analysis.systems import Analysis
from capeval_core.figures.words import short

APART = 0.25  # standard deviations between centres worth a word
MEANING = {"sparcs": "meaning", "spurts": "style", "mima": "grammar"}
# Below and above the reference captioner, in words.
SIDES = {
    "sparcs": ("it says less of what people mention", "it says more of what people mention"),
    "spurts": ("its wording is plainer", "its wording is more distinct"),
    "mima": ("its grammar is odder", "its grammar is more ordinary"),
}
CAUTION = "An ellipse shows where a captioner's typical captions lie, not whether they are true."


def said(analysis: Analysis) -> str:
    if not _overlaps(analysis):
        notes = [one.cloud.note for one in analysis.systems if one.cloud and one.cloud.note]
        return f"No overlap to tell: {notes[0]}." if notes else "Load a second captioner to compare with."
    return " ".join(apart(analysis, place) for place in range(2))


def _overlaps(analysis: Analysis) -> list[tuple[float, str]]:
    """How much of each captioner's ellipse lies inside the reference captioner's, where that is known."""
    return [
        (one.cloud.overlap, one.system)
        for one in analysis.systems
        if one.system != analysis.reference and one.cloud and not math.isnan(one.cloud.overlap)
    ]


def apart(analysis: Analysis, place: int) -> str:
    """Who lies farthest from the reference captioner on an axis, which way, and what that means."""
    assert analysis.axes is not None
    key = analysis.axes[place]
    axis = f"In {MEANING[key]} ({registry.get(key).label})" if key in MEANING else f"In {registry.get(key).label}"
    clouds = {one.system: one.cloud for one in analysis.systems if one.cloud and len(one.cloud.rows)}
    centres = {name: float(cloud.points[:, place].mean()) for name, cloud in clouds.items()}
    own, reference = centres[analysis.reference], short(analysis.reference)
    name = max(centres, key=lambda name: abs(centres[name] - own))
    away = centres[name] - own
    if abs(away) < APART:
        return f"{axis} nobody's mean lies {APART} standard deviations or more from that of {reference}."
    side = "above" if away > 0 else "below"
    meaning = f": {SIDES[key][away > 0]}" if key in SIDES else ""
    farthest = "lies farthest from" if len(centres) > 2 else "differs from"
    return f"{axis} {short(name)} {farthest} {reference}, {abs(away):.1f} standard deviations {side}{meaning}."


def overlap(analysis: Analysis) -> str:
    """Whose ellipse lies most inside the reference captioner's, and what that does not say; nothing where none does."""
    found = _overlaps(analysis)
    if not found:
        return ""
    share, name = max(found)
    most = "The largest part of an ellipse that" if len(found) > 1 else "The part of its ellipse that"
    return f"{most} lies inside that of {short(analysis.reference)}: {share:.0%}, of {short(name)}. {CAUTION}"


def sample(images: int, of_images: int, captions: int, of_captions: int) -> str:
    """How much of the data is drawn as points."""
    if captions == of_captions:
        return f"Points: all {of_captions:,} captions."
    if images == of_images:
        return f"Points: {captions:,} of {of_captions:,} captions; the others have no value on an axis."
    return (
        f"Points: {captions:,} of {of_captions:,} captions, those of a random sample of {images:,} of {of_images:,} "
        "images. Ellipses, overlaps and means are of all captions."
    )
