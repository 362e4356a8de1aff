"""The views of Inspect for the report: style and meaning, profile, comparison, blame map."""

from __future__ import annotations

from collections.abc import Iterator

from capeval_core import CapEvalError
from capeval_core.analysis import ellipses
from capeval_core.analysis.people import KEYS, people
from capeval_core.analysis.systems import AXES
from capeval_core.figures import blame as blame_figure
from capeval_core.figures import meaning as meaning_figure
from capeval_core.figures import profile
from capeval_core.figures.evidence import Chart
from capeval_core.figures.palette import Palette
from capeval_core.figures.report import View
from pages.inspect import blame, comparison, meaning
from pages.inspect.candidates import defined, name
from pages.inspect.profile import reached
from pages.work.bands import bands
from pages.work.cells import Cells
from pages.work.jobs import Owner
from pages.work.workspace import Candidate, Workspace

WITHIN = 60.0  # seconds: with models loaded the whole report needs few
NOT_IN_TIME = "Its scores were not there in time; save the report again in a moment."


def views(ws: Workspace, store: Cells, owner: Owner, palette: Palette) -> Iterator[View]:
    chosen, other = ws.find(ws.chosen), ws.find(ws.other)
    if chosen is None or not ws.metrics:
        return
    if ws.references and {*AXES} <= {*ws.metrics}:  # not chosen: not reported
        yield _meaning(ws, store, owner, palette)
    yield _profile(ws, store, chosen, palette)
    if other is not None:
        yield _comparison(ws, store, chosen, other, palette)
    yield _blame(ws, store, owner, chosen, palette)


def _meaning(ws: Workspace, store: Cells, owner: Owner, palette: Palette) -> View:
    title, items = "Style and meaning", [*ws.items(), *ws.human_items()]
    store.want(owner, items, KEYS, ws.options)
    if store.wait(items, KEYS, ws.options, WITHIN):
        return View(title, NOT_IN_TIME)
    size, known = ellipses.SIZE, people()
    found = meaning.collect(ws, store, size)
    drawn = meaning_figure.draw(found.placed, known, size, found.own, palette, found.badge)
    note = f"{meaning_figure.note(found.placed, known, size, bool(found.own))} {found.remark}".strip()
    return View(title, meaning.sentence(ws, found, known), (Chart("", drawn),), note)


def _profile(ws: Workspace, store: Cells, chosen: Candidate, palette: Palette) -> View:
    shown = [chosen, *(one for one in ws.candidates if one is not chosen)][: profile.MOST]
    names, scores = [name(one) for one in shown], [defined(ws, one, store) for one in shown]
    known = bands(ws, store, ws.metrics)
    left = len(ws.candidates) - len(shown)
    note = f"{left} more candidates are not drawn." if left else ""
    return View("Profile", reached(scores[0], known), (Chart("", profile.draw(names, scores, known, palette)),), note)


def _comparison(ws: Workspace, store: Cells, chosen: Candidate, other: Candidate, palette: Palette) -> View:
    found = comparison.collect(ws, chosen, other, store, palette)
    return View("Comparison", found.sentence, (*found.captions, found.table), comparison.ABOUT)


def _blame(ws: Workspace, store: Cells, owner: Owner, chosen: Candidate, palette: Palette) -> View:
    title = "Blame map"
    try:
        items = blame.variants(ws.item(chosen))
    except CapEvalError as error:
        return View(title, f"No blame map: {error}")
    store.want(owner, items, ws.metrics, ws.options)
    if store.wait(items, ws.metrics, ws.options, WITHIN):
        return View(title, NOT_IN_TIME)
    found, known = blame.collect(items, ws.metrics, ws.options, store), bands(ws, store, ws.metrics)
    drawn = (Chart("", blame_figure.draw(found, known, palette)),) if found.keys and found.words else ()
    return View(title, blame_figure.sentence(found, known), drawn, f"{name(chosen)}. {blame.ABOUT}")
