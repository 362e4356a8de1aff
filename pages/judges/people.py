"""Whose ratings count on the open data set, laid beside each other, and what all metrics make of them."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np

from capeval_core import InvalidInput, registry
from capeval_core.analysis import judging
from capeval_core.analysis.judging import Judging, Settings
from capeval_core.analysis.ratings import as_table
from capeval_core.figures.words import plural
from capeval_core.io import judgements, sources
from capeval_core.io.judgements import Judgements
from capeval_core.io.presets import WAYS
from capeval_core.types import Array, Progress
from pages.judges.rating import SCALE
from pages.judges.state import Judges
from pages.work import scoring, uploads
from pages.work.jobs import Job
from pages.work.memory import recall
from pages.work.scoring import Known

MINE = "you.jsonl"


@dataclass(frozen=True)
class People:
    found: Judgements
    address: Hashable  # of the ratings, by content

    @property
    def ratings(self) -> Array:
        return as_table(self.found.data.ratings or ())

    def words(self) -> str:
        """200 captions rated by 3 people"""
        pairs = self.found.pairs
        if pairs is not None:
            return f"{plural(len(pairs.winners), 'pair')} of captions with a winner"
        if self.found.captioners:
            return f"{plural(len(self.found.captioners), 'captioner')} with a rating"
        table = self.ratings
        rated = int(np.isfinite(table).any(axis=1).sum()) if table.size else 0
        return f"{plural(rated, 'rated caption')}, up to {plural(table.shape[1], 'rating')} each"

    def missing(self) -> str:
        """Why nothing can be said of them yet, if so."""
        try:
            judgements.check(self.found, sources.of_bytes(self.found.data.title, b""))
        except InvalidInput as error:
            return str(error).split(": ", 2)[-1]
        return ""


def loaded(state: Judges) -> People:
    """The open data set's own ratings, those of raters' files, and those given here."""
    given = [*state.files.items()]
    others = bool(given or state.data.ratings or state.data.pairs)
    if state.rating.answered and (state.rating.mode == SCALE or not others):  # pairs and ratings are not one thing
        given.append((MINE, state.rating.to_jsonl().encode()))
    content = hashlib.sha256(repr([(name, data) for name, data in given]).encode()).hexdigest()
    address = ("people", state.data.digest, content)

    def read() -> Judgements:
        own = Judgements(state.data, state.data.pairs)
        if not given:
            return replace(own, raters=judgements.raters(state.data))
        return uploads.read_ratings(given, state.data)

    return People(recall(address, read), address)


def mine(state: Judges) -> People:
    """Those given here alone."""
    rating = state.rating
    content = hashlib.sha256(rating.to_jsonl().encode()).hexdigest()
    address = ("mine", state.data.digest, rating.mode, content)
    return People(recall(address, rating.judgements), address)


def scores(state: Judges) -> Known:
    """What is known of the chosen metrics and columns; what is not yet becomes a task."""
    found = Known()
    scoring.fill(found, state.data, state.keys, state.options)
    for name in state.columns:
        values = [np.nan if value is None else value for value in state.data.columns[name]]
        found.scores[name] = np.array(values, dtype=np.float64)
    return found


def judged(state: Judges, people: People, known: Known) -> tuple[Judging | None, str]:
    """Everything the ratings and the scores say together, as soon as all scores are in; or why it failed."""
    if known.pending or not known.scores:
        return None, ""
    settings = Settings(state.way, state.headline)
    options = tuple(sorted(state.options.items()))
    address = ("judging", people.address, tuple(known.scores), options, state.way, state.headline)

    def work(report: Progress) -> Judging:
        made = judging.judge(
            people.found.data.items,
            known.scores,
            ratings=people.found.data.ratings or (),
            raters=people.found.raters,
            pairs=people.found.pairs,
            captioners=people.found.captioners,
            settings=settings,
            on_progress=report,
        )
        stand_ins = {key: one.badge for key, one in known.stand_ins.items()}
        signatures = {key: known.signatures.get(key, f"{key}|given") for key in known.scores}
        return replace(made, protocol=_protocol(state, people, made), signatures=signatures, stand_ins=stand_ins)

    weight = len(known.scores) * 1_000
    outcome = known.ask(Job(address, "agreement with people", work, weight=weight, soon=True))
    return (outcome.result, outcome.error) if outcome else (None, "")


def _protocol(state: Judges, people: People, made: Judging) -> str:
    drawn = "intervals: 95 %, 1,000 samples of images"
    title = state.data.title
    if people.found.pairs is not None:
        return f"{title}: {made.rows:,} pairs; accuracy, ties half; {drawn}"
    if people.found.captioners:
        return f"{title}: {made.rows:,} captioners, their mean scores beside their ratings; {drawn}"
    several = people.ratings.shape[1] > 1
    return f"{title}: {made.rows:,} rated captions{f'; {WAYS[state.way]}' if several else ''}; {drawn}"


def lower(key: str) -> bool:
    """Whether lower scores are better."""
    return key in registry.keys() and registry.get(key).direction == "lower"
