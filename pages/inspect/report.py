"""The report: one HTML file with image, captions, scores and evidence. Opens anywhere, asks no server for anything."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from html import escape

import plotly.io
import plotly.offline

from capeval_core import CapEvalError, figures, registry
from capeval_core.figures.evidence import Caption, Chart, Part, Table
from capeval_core.figures.html import caption_html, legend_html, table_html
from capeval_core.figures.palette import KINDS, LIGHT, Palette
from capeval_core.version import VERSION
from pages.inspect import table
from pages.inspect.scores import reasons, signatures
from pages.widgets import formats, stand_ins
from pages.work import cells as cache
from pages.work.bands import bands
from pages.work.cells import Scorer
from pages.work.workspace import Candidate, Workspace

MOST_EXPLAINED = 6  # candidates; the chosen one first
STYLE = """body{font:15px/1.5 'Source Sans 3','Source Sans Pro',Arial,sans-serif;margin:2rem auto;
max-width:1180px;padding:0 1.5rem}
h1{font-size:1.6rem;margin:0 0 1rem}h2{font-size:1.2rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:1.4rem 0 .2rem}
table.scores{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:13px}
table.scores td,table.scores th{padding:4px 8px;text-align:left;border-bottom:1px solid #8885;vertical-align:top}
img{max-width:100%;max-height:420px;border-radius:6px}
.top{display:grid;grid-template-columns:minmax(240px,1fr) 2fr;gap:2rem}
.bar{height:5px;background:#8883;min-width:44px;position:relative}.bar i{position:absolute;inset:0 auto 0 0}
.bar u{position:absolute;top:-2px;height:9px;width:1.5px;background:currentColor}
summary{cursor:pointer;font-weight:600;margin:.6rem 0}pre{white-space:pre-wrap;font-size:12px}
.scroll{overflow-x:auto}.note{font-size:13px;opacity:.75}.near{font-size:.75em;vertical-align:3px;cursor:help}"""


def build(ws: Workspace, scorer: Scorer, palette: Palette = LIGHT) -> str:
    body = "".join([_top(ws), _scores(ws, scorer, palette), *_all_evidence(ws, palette), _made(ws)])
    title = escape(ws.title or "CapEval report")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<style>{STYLE}body{{color:{palette.text};background:{palette.background}}}</style>"
        f"<script>{plotly.offline.get_plotlyjs()}</script></head><body><h1>{title}</h1>{body}</body></html>"
    )


def _top(ws: Workspace) -> str:
    picture = ""
    if ws.image is not None:
        kind = "png" if ws.image.startswith(b"\x89PNG") else "jpeg" if ws.image.startswith(b"\xff\xd8") else "webp"
        data = base64.b64encode(ws.image).decode()
        picture = f'<img alt="the image" src="data:image/{kind};base64,{data}"><p>{escape(ws.credit)}</p>'
    people = "".join(f'<li dir="auto">{escape(text)}</li>' for text in ws.references)
    return f'<div class="top"><div>{picture}</div><div><h2>References</h2><ol>{people or "none"}</ol></div></div>'


def _scores(ws: Workspace, scorer: Scorer, palette: Palette) -> str:
    specs, known, items = registry.select(ws.metrics), bands(ws, scorer, ws.metrics), ws.items()
    grid = {spec.key: [scorer.get(item, spec.key) for item in items] for spec in specs}
    best = {spec.key: table.best_rows(spec, grid[spec.key]) for spec in specs}
    made = signatures(ws)
    head = "".join(
        f'<th title="{escape(formats.tooltip(spec))}">{escape(spec.label)}{_badge(made.get(spec.key, ""))}</th>'
        for spec in specs
    )
    people = "".join(f"<td>{formats.spread(known[s.key]) if s.key in known else '–'}</td>" for s in specs)
    rows = []
    for place, one in enumerate(ws.candidates):
        cells = []
        for spec in specs:
            cell = grid[spec.key][place]
            text = formats.score(cell.value) if cell else "–"
            shown = f"<b>{text} ★</b>" if place in best[spec.key] else text
            bar = ""
            if cell and cell.defined:
                low, high = table.ends(spec, [cell.value])
                share = 100 * min(max((cell.value - low) / (high - low or 1), 0), 1)
                ticks = [known[spec.key].low, known[spec.key].high] if spec.key in known else []
                marks = "".join(f'<u style="left:{100 * (t - low) / (high - low or 1):.1f}%"></u>' for t in ticks)
                bar = f'<div class="bar"><i style="width:{share:.1f}%;background:{palette.accent}"></i>{marks}</div>'
            reason = escape(cell.note) if cell else "not scored"
            cells.append(f'<td title="{reason}">{shown}{bar}</td>')
        name = f"<td>{escape(one.system)}</td><td dir='auto'>{escape(one.caption)}</td>"
        rows.append(f"<tr>{name}{''.join(cells)}</tr>")
    labels = {spec.key: spec.label for spec in specs}
    standing = stand_ins.summary(made, labels)
    note = f'<p class="note">{escape(standing)} More at the end.</p>' if standing else ""
    return (
        f'<h2>Scores</h2><div class="scroll"><table class="scores"><tr><th>captioner</th><th>candidate</th>{head}</tr>'
        f"<tr><td></td><td>people reach</td>{people}</tr>{''.join(rows)}</table></div>{note}"
    )


def _badge(signature: str) -> str:
    found = stand_ins.stand_in(signature)
    return f'<span class="near" title="{escape(found.badge)}">≈</span>' if found else ""


def _all_evidence(ws: Workspace, palette: Palette) -> Iterator[str]:
    yield "<h2>Evidence</h2>"
    order = sorted(ws.candidates, key=lambda one: one.id != ws.chosen)[:MOST_EXPLAINED]
    for one in order:
        name = f"{one.system}: {one.caption}" if one.system else one.caption
        parts = "".join(_evidence(ws, one, key, palette) for key in ws.metrics)
        opened = " open" if one is order[0] else ""
        yield f'<details{opened}><summary dir="auto">{escape(name)}</summary>{parts}</details>'
    if len(order) < len(ws.candidates):
        yield f"<p>The evidence of {len(ws.candidates) - len(order)} more candidates is left out.</p>"


def _evidence(ws: Workspace, one: Candidate, key: str, palette: Palette) -> str:
    label = escape(registry.get(key).label)
    try:
        explanation = cache.explain(ws.item(one), key)
        found = figures.draw(explanation, palette)
    except CapEvalError as error:
        return f"<h3>{label}</h3><p>{escape(str(error))}</p>"
    kinds = {word.kind for part in found.parts if isinstance(part, Caption) for word in part.words}
    legend = legend_html(palette, [kind for kind in KINDS if kind in kinds])
    drawn = f"<p>{escape(found.sentence)}</p>{legend}{_parts(found.parts, palette)}"
    more = f"<details><summary>Details</summary>{_parts(found.details, palette)}</details>" if found.details else ""
    return f"<h3>{label} {formats.score(explanation.value)}</h3>{drawn}{more}"


def _parts(parts: Sequence[Part], palette: Palette) -> str:
    pieces = []
    for part in parts:
        if isinstance(part, Caption):
            pieces.append(caption_html(part, palette))
        elif isinstance(part, Table):
            pieces.append(f'<div class="scroll">{table_html(part, palette)}</div>')
        elif isinstance(part, Chart):
            figure = plotly.io.to_html(
                part.figure, full_html=False, include_plotlyjs=False, config={"displayModeBar": False}
            )
            pieces.append(f"<p>{escape(part.title)}</p>{figure}")
    return "".join(pieces)


def _made(ws: Workspace) -> str:
    found = signatures(ws)
    labels = {spec.key: spec.label for spec in registry.select(ws.metrics)}
    lines = [*stand_ins.warnings(found, labels), *(f"{labels[k]} could not score: {r}" for k, r in reasons(ws).items())]
    notes = "".join(f"<p>{escape(line)}</p>" for line in lines)
    text = escape("\n".join(found.values()))
    return f"<h2>How the numbers were made</h2>{notes}<pre>{text}</pre><p>CapEval {VERSION}</p>"
