"""The clicked caption: its image where there is one, what everybody said of it, and the way to Inspect."""

from __future__ import annotations

import streamlit as st

from capeval_core import InvalidInput, registry
from capeval_core.figures.charts import tint
from capeval_core.figures.palette import Palette
from capeval_core.figures.systems import colours
from capeval_core.figures.words import clean, short
from pages.systems.scores import Scored
from pages.widgets import formats
from pages.work import samples
from pages.work import session as state
from pages.work.workspace import Workspace

MOST_ROWS = 40  # captions of one image


def show(scored: Scored, axes: tuple[str, str], palette: Palette) -> None:
    row = scored.state.point
    if row is None:
        st.caption("Click a point to see its image and what everybody said of it.")
        return
    item = scored.data.items[row]
    rows = scored.data.images[item.image_id][:MOST_ROWS]
    scene = _scene(scored, item.image_id)
    left, right = st.columns([1, 3.2], gap="medium")
    with left:
        if scene:
            st.image(scene.image.read_bytes(), width="stretch")
        else:
            st.html(f'<p style="color:{palette.faint}">No image came with these captions.</p>')
        if st.button("Open in Inspect", icon=":material/search_insights:", type="primary", key="to inspect"):
            _open(scored, row)
    with right:
        st.html(_captions(scored, rows, row, axes, palette))


def _scene(scored: Scored, image: str) -> samples.Sample | None:
    if not scored.data.samples:
        return None
    return next((one for one in samples.samples() if one.id == image), None)


def _captions(scored: Scored, rows: list[int], chosen: int, axes: tuple[str, str], palette: Palette) -> str:
    colour = colours(scored.data.systems, scored.state.reference, palette)
    rule = f"padding:4px 12px 4px 0;border-bottom:1px solid {tint(palette.faint, 0.28)};vertical-align:baseline"
    keys = [key for key in axes if key in scored.scores]
    head = "".join(f'<th style="{rule};text-align:right">{registry.get(key).label}</th>' for key in keys)
    lines = []
    for row in rows:
        item = scored.data.items[row]
        weight = "font-weight:600" if row == chosen else ""
        scores = "".join(
            f'<td style="{rule};text-align:right">{formats.score(float(scored.scores[key][row]))}</td>' for key in keys
        )
        lines.append(
            f'<tr style="{weight}"><td style="{rule};color:{colour[item.system]};white-space:nowrap">'
            f'{formats.escape(short(item.system, 24))}</td><td style="{rule};width:100%">'
            f"{formats.escape(short(item.candidate, 400))}</td>{scores}</tr>"
        )
    image = formats.escape(short(scored.data.items[chosen].image_id, 60))
    references = scored.data.items[chosen].references
    said = "".join(f"<li>{formats.escape(short(one, 400))}</li>" for one in references[:12])
    people = f'<p style="color:{palette.faint};margin:10px 0 0">references</p><ul style="margin:0">{said}</ul>'
    return (
        f'<table style="border-collapse:collapse;width:100%;font-size:14px;line-height:1.4">'
        f'<thead><tr><th colspan="2" style="{rule};text-align:left">What was said of {image}</th>{head}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table>{people if references else ''}"
    )


def _open(scored: Scored, row: int) -> None:
    """The image with its references and everybody's captions takes the place of Inspect's workspace."""
    try:
        made, place = workspace(scored, row)
    except InvalidInput as error:
        scored.state.message = str(error)
        st.rerun()
    state.replace(made)
    made.chosen = made.candidates[place].id
    made.settle()
    st.switch_page("pages/inspect/page.py")


def workspace(scored: Scored, row: int) -> tuple[Workspace, int]:
    """And which of its candidates the row is."""
    item = scored.data.items[row]
    scene = _scene(scored, item.image_id)
    made = Workspace(title=f"image {clean(item.image_id)[:60]}", metrics=list(st.session_state["ws"].metrics))
    if scene:
        made.title, made.credit, made.sample = scene.title, scene.credit, scene.id
        made.image = scene.image.read_bytes()
    made.set_references(item.references)
    place = 0
    for other in scored.data.images[item.image_id]:
        one = scored.data.items[other]
        if one.references != item.references:  # scored against other people: not the same question
            continue
        if other == row:
            place = len(made.candidates)
        made.add([one.candidate], clean(one.system))
    return made, place
