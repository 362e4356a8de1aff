"""The report of a workspace: what is on show, collected for capeval_core/figures/report.py."""

from __future__ import annotations

from datetime import datetime

from capeval_core import CapEvalError, figures, registry
from capeval_core.figures import report
from capeval_core.figures.numbers import UNDEFINED, score
from capeval_core.figures.palette import LIGHT, Palette
from capeval_core.figures.report import Finding, Report, Section
from capeval_core.figures.scales import Band, ends
from capeval_core.figures.tables import Badge, Bar, Cell, Column, Grid, Row
from capeval_core.io.images import small
from capeval_core.registry import MetricSpec
from capeval_core.version import VERSION
from pages.inspect import report_views, table
from pages.widgets import columns, formats, stand_ins
from pages.work import cells
from pages.work.bands import bands
from pages.work.cells import Cells
from pages.work.jobs import Owner
from pages.work.workspace import Candidate, Workspace

MOST_EXPLAINED = 6  # candidates; the chosen one first


def build(ws: Workspace, store: Cells, owner: Owner, palette: Palette = LIGHT) -> str:
    """Scores what its views need and nobody has asked for yet, as `owner`."""
    order = sorted(ws.candidates, key=lambda one: one.id != ws.chosen)[:MOST_EXPLAINED]
    known = store.telling(ws.items(), ws.metrics, ws.options)
    standing = {registry.get(key).label: cell.stand_in for key, cell in known.items() if cell.stand_in}
    failed = [f"{registry.get(key).label} could not score: {cell.note}" for key, cell in known.items() if cell.failed]
    summary = stand_ins.summary(standing)
    found = Report(
        title=ws.title or "CapEval report",
        made=f"{datetime.now().astimezone():%d %B %Y, %H:%M %Z}",
        image=small(ws.image) if ws.image is not None else None,
        credit=ws.credit,
        references=tuple(ws.references),
        scores=_scores(ws, store, known, palette),
        note=f"{summary} More at the end." if summary else "",
        views=tuple(report_views.views(ws, store, owner, palette)),
        sections=tuple(_section(ws, one, palette) for one in order),
        left_out=len(ws.candidates) - len(order),
        remarks=(*stand_ins.lines(standing), *failed),
        signatures=tuple(cell.signature for cell in known.values() if cell.signature),
        version=VERSION,
    )
    return report.build(found, palette)


def _scores(ws: Workspace, store: Cells, known: dict[str, cells.Cell], palette: Palette) -> Grid:
    specs, people = registry.select(ws.metrics), bands(ws, store, ws.metrics)
    grid = {spec.key: [store.get(item, spec.key, ws.options) for item in ws.items()] for spec in specs}
    best = {spec.key: table.best_rows(spec, grid[spec.key]) for spec in specs}
    reach = [Cell(formats.spread(people[s.key]) if s.key in people else UNDEFINED, faint=True) for s in specs]
    rows = [Row((Cell(), Cell("people reach", faint=True), *reach))]
    for place, one in enumerate(ws.candidates):
        shown = [
            _cell(spec, grid[spec.key][place], place in best[spec.key], people.get(spec.key), palette) for spec in specs
        ]
        rows.append(Row((Cell(one.system), Cell(one.caption), *shown)))
    heads = [Column(Cell("captioner"), "left", names=True), Column(Cell("candidate"), "left", wide=True)]
    for spec in specs:
        stand_in = known[spec.key].stand_in if spec.key in known else None
        badge = Badge("≈", stand_in.badge) if stand_in else None
        set_by_hand = columns.differing(spec, ws.options)
        heads.append(Column(Cell(spec.label, set_by_hand, formats.tooltip(spec), badge=badge)))
    return Grid(tuple(heads), tuple(rows), stacks=True)


def _cell(spec: MetricSpec, cell: cells.Cell | None, best: bool, band: Band | None, palette: Palette) -> Cell:
    if cell is None or not cell.defined:
        return Cell(UNDEFINED, tip=cell.note if cell else "not scored")
    low, high = ends(spec.key, [cell.value], band)
    ticks = (band.low, band.high) if band else ()
    value, *marks = (min(max((at - low) / (high - low or 1), 0.0), 1.0) for at in (cell.value, *ticks))
    text = f"{score(cell.value)} ★" if best else score(cell.value)
    return Cell(text, tip=cell.note, bold=best, bar=Bar(0.0, value, palette.accent, tuple(marks)))


def _section(ws: Workspace, one: Candidate, palette: Palette) -> Section:
    name = f"{one.system}: {one.caption}" if one.system else one.caption
    return Section(name, tuple(_finding(ws, one, key, palette) for key in ws.metrics))


def _finding(ws: Workspace, one: Candidate, key: str, palette: Palette) -> Finding:
    label = registry.get(key).label
    try:
        explanation = cells.explain(ws.item(one), key, ws.options)
        return Finding(label, score(explanation.value), figures.draw(explanation, palette))
    except CapEvalError as error:
        return Finding(label, error=str(error))
