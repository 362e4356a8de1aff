"""A walk: acts drawn from a seed, over everything a visitor can touch, on every page.

python -m tests.pages.walk --seeds 0:100              walks; a walk that fails prints its acts and the shortest
                                                      list of them that still fails
python -m tests.pages.walk --acts FILE                does again what was printed
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from streamlit import config

from pages.shell.navigation import PAGES
from pages.work import keeping
from pages.work.jobs import jobs
from tests.pages.acts import GROUPS, Act, draw_value, perform, targets
from tests.pages.client import Client, Fault

LENGTH = 300
OFTEN = {"widget": 57, "component": 20, "chart": 6, "page": 8, "wait": 4, "step": 3, "reload": 1, "open": 1}
STEPS = ("undo", "redo")


class Walk:
    """A visitor who does one act after the other; `log` is what was done."""

    client: Client
    page: str

    def __init__(
        self, seed: int = 0, query: dict[str, str] | None = None, wanted: Callable[[Act], bool] = lambda act: True
    ) -> None:
        self.chance, self.query, self.wanted = random.Random(seed), query, wanted
        self.log: list[Act] = []

    def run(self, length: int) -> None:
        self._log(Act("open", value=self.query))
        for _ in range(length):
            act = self._draw()
            while not self.wanted(act):
                act = self._draw()
            self._log(act)

    def _log(self, act: Act) -> None:
        self.log.append(act)
        self.do(act)

    def do(self, act: Act) -> None:
        """The act; nothing where there is no such thing to touch (any more)."""
        if act.kind == "open":  # a session of its own
            self.leave()
            self.client, self.page = Client(act.value), ""
            self.client.run()
        elif act.kind == "page":
            self.client.turn(act.name)
            self.page = act.name
        elif act.kind == "wait":
            self.client.run()
        elif act.kind == "reload":
            self._reload()
        elif found := targets(self.client).get((act.kind, act.name)):
            perform(self.client, found, act)

    def leave(self) -> None:
        """As when the tab is closed, only at once: no model is trained for this visitor any more."""
        if self.log and hasattr(self, "client") and "owner" in self.client.app.session_state:
            jobs().want((self.client.app.session_state["owner"], "learn"), [])

    def _reload(self) -> None:
        """The same address in a new session: what was changed before is there again, and nothing else."""
        state = self.client.app.session_state
        query = {keeping.PARAMETER: state[keeping.KEY].id} if state[keeping.KEY].id else self.query
        before = self.client.app.session_state["ws"], self.client.app.session_state["data set"].data.digest
        shown = self.client.shows()
        self.leave()
        self.client = Client(query)
        self.client.run()
        ws, digest = self.client.app.session_state["ws"], self.client.app.session_state["data set"].data.digest
        if query != self.query and (replace(ws, message=""), digest) != (replace(before[0], message=""), before[1]):
            raise Fault(f"a reload lost something: {before} became {(ws, digest)}")
        if self.page:
            self.client.turn(self.page)
        now = self.client.shows()
        lost = [
            f"{name}: {shown[name]} became {now[name]}" for name in shown if name in now and shown[name] != now[name]
        ]
        if query != self.query and lost:
            raise Fault(f"a reload lost what a widget shows: {lost}")

    def _draw(self) -> Act:
        found = targets(self.client)
        there = {group: [place for place in sorted(found) if place[0] in kinds] for group, kinds in GROUPS.items()}
        often = {group: count for group, count in OFTEN.items() if there.get(group, True)}
        group = self.chance.choices(list(often), list(often.values()))[0]
        if group == "page":
            return Act("page", self.chance.choice([row[0] for row in PAGES]))
        if group == "step":
            return Act("button", f"button {self.chance.choice(STEPS)!r}")
        if group not in there:
            return Act(group, value=self.query if group == "open" else None)
        kind, name = self.chance.choice(there[group])
        return Act(kind, name, draw_value(kind, found[kind, name], self.client, self.chance))


@contextmanager
def log_watched() -> Iterator[list[str]]:
    """What the server writes into its log as an error, from whichever thread; a failing page says why."""
    told: list[str] = []
    details = config.get_option("client.showErrorDetails")
    config.set_option("client.showErrorDetails", "full")
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: told.append(handler.format(record))  # type: ignore[method-assign]
    watched = [logging.getLogger(), *map(logging.getLogger, logging.root.manager.loggerDict)]
    for logger in watched:
        logger.addHandler(handler)
    try:
        yield told
    finally:
        config.set_option("client.showErrorDetails", details)
        for logger in watched:
            logger.removeHandler(handler)


def walk(
    seed: int,
    length: int = LENGTH,
    query: dict[str, str] | None = None,
    wanted: Callable[[Act], bool] = lambda act: True,
) -> None:
    one = Walk(seed, query, wanted)
    with log_watched() as told:
        try:
            one.run(length)
            if told:
                raise Fault("an error in the log")
        except Exception as error:
            said = [f"seed {seed}, act {len(one.log)}: {error}", *told, "the acts:", *map(str, one.log)]
            raise Fault("\n".join(said)) from error
        finally:
            one.leave()


def fails(acts: Sequence[Act]) -> str:
    """Why these acts fail, if they do."""
    one = Walk()
    with log_watched() as told:
        try:
            for act in acts:
                one.do(act)
        except Exception as error:
            return str(error)
        return told[0] if told else ""


def shortest(acts: list[Act]) -> list[Act]:
    """As few of the acts as still fail, the first among them: halves are left out, then quarters, then single acts."""
    size = len(acts) // 2
    while size:
        place = 1
        while place < len(acts):
            fewer = acts[:place] + acts[place + size :]
            acts, place = (fewer, place) if fails(fewer) else (acts, place + size)
        size //= 2
    return acts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0:5")
    parser.add_argument("--length", type=int, default=LENGTH)
    parser.add_argument("--acts", type=Path)
    asked = parser.parse_args()
    logging.getLogger("streamlit").setLevel(logging.ERROR)
    if asked.acts:
        found = fails([Act(**json.loads(line)) for line in asked.acts.read_text().splitlines() if line])
        print(found or "all went well")
        return bool(found)
    return _walks(range(*map(int, asked.seeds.split(":"))), asked.length)


def _walks(seeds: range, length: int) -> int:
    failed = 0
    for seed in seeds:
        try:
            walk(seed, length)
            print(f"seed {seed}: all went well", flush=True)
        except Fault as fault:
            failed += 1
            said, _, acts = str(fault).partition("\nthe acts:\n")
            fewer = shortest([Act(**json.loads(line)) for line in acts.splitlines()])
            print(said, "", "the shortest list of acts that fails:", *fewer, f"because: {fails(fewer)}", sep="\n")
    return min(failed, 1)


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # jobs that nobody waits for may be inside torch, which cannot be left in an orderly way
