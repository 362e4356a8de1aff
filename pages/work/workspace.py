"""What one visitor works on: image, references, candidates, chosen metrics. Lives in `st.session_state["ws"]`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from capeval_core import CaptionItem, InvalidInput, registry
from capeval_core import options as metric_options
from capeval_core.io.workspace import MAX_CANDIDATES, MAX_CAPTION, MAX_NAME, MAX_REFERENCES, StoredWorkspace
from pages.work import plain
from pages.work.events import new_events, texts_of

IMAGE_ID = "image"
VIEWS = ("Evidence", "Errors", "Blame map", "Compare two", "Profile", "Style and meaning", "Lens")


@dataclass
class Candidate:
    id: int
    system: str
    caption: str


@dataclass
class Workspace:
    references: list[str] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)
    metrics: list[str] = field(default_factory=lambda: first_metrics())
    # by metric name: Options that differ from the default
    options: dict[str, Any] = field(
        default_factory=dict, metadata={plain.WAYS: (metric_options.to_plain, metric_options.from_plain)}
    )
    title: str = ""
    credit: str = ""
    sample: str = ""  # id of the sample it was opened from; empty: the visitor's own
    image_id: str = ""  # of the open data set, when it was opened from there
    origin: str = ""  # the page to go back to, when that has a list it was opened from
    image: bytes | None = None
    chosen: int = 0  # id of the candidate the views below are about
    other: int = 0  # the one it is compared with
    metric: str = ""  # whose evidence is shown
    view: str = VIEWS[0]
    sort: tuple[str, int] = ("", 0)  # the column the table is sorted by, and which way: 1, -1
    concept: str = ""  # the stem clicked under "what people mention"
    message: str = ""  # what could not be done, shown once
    next_id: int = 1
    seen: dict[str, int] = field(default_factory=dict)  # by component: the number of its last event

    def items(self) -> list[CaptionItem]:
        """One a candidate, in order."""
        references = tuple(self.references)
        return [CaptionItem(IMAGE_ID, one.caption, references, one.system) for one in self.candidates]

    def human_items(self) -> list[CaptionItem]:
        """Each reference against the others: what people reach."""
        if len(self.references) < 2:
            return []
        return [
            CaptionItem(IMAGE_ID, text, tuple(self.references[:place] + self.references[place + 1 :]))
            for place, text in enumerate(self.references)
        ]

    def find(self, identity: int) -> Candidate | None:
        return next((one for one in self.candidates if one.id == identity), None)

    def item(self, candidate: Candidate) -> CaptionItem:
        return CaptionItem(IMAGE_ID, candidate.caption, tuple(self.references), candidate.system)

    def add(self, captions: Iterable[str], system: str = "") -> None:
        for caption in captions:
            if len(self.candidates) >= MAX_CANDIDATES:
                raise InvalidInput("too many candidates", expected=f"at most {MAX_CANDIDATES}")
            self.candidates.append(Candidate(self.next_id, system, checked(caption)))
            self.next_id += 1
        self.settle()

    def set_references(self, captions: Iterable[str]) -> None:
        found = [checked(caption) for caption in captions]
        if len(found) > MAX_REFERENCES:
            raise InvalidInput("too many references", expected=f"at most {MAX_REFERENCES}", found=str(len(found)))
        self.references = found

    def settle(self) -> None:
        """Point at things that exist."""
        ids = [one.id for one in self.candidates]
        self.chosen = self.chosen if self.chosen in ids else (ids or [0])[0]
        others = [identity for identity in ids if identity != self.chosen]
        self.other = self.other if self.other in others else (others or [0])[0]
        self.metrics = [key for key in registry.keys() if key in self.metrics]
        self.metric = self.metric if self.metric in self.metrics else first_metric(self.metrics)
        self.view = self.view if self.view in VIEWS else VIEWS[0]

    def take_off(self) -> None:
        """Captions that are the visitor's own are not about a sample's image, or a data set's: no image then."""
        if self.sample or self.image_id:
            self.image, self.title, self.credit, self.sample, self.image_id = None, "", "", "", ""

    def stored(self) -> StoredWorkspace:
        return StoredWorkspace(
            references=tuple(self.references),
            candidates=tuple((one.system, one.caption) for one in self.candidates),
            metrics=tuple(self.metrics) if set(self.metrics) != set(registry.keys()) else (),
            title=self.title,
            credit=self.credit,
            sample=self.sample,
            image=self.image,
            options=metric_options.to_plain(self.options),
        )


def first_metrics() -> list[str]:
    return list(registry.keys())


def restore(stored: StoredWorkspace) -> Workspace:
    known = [key for key in registry.keys() if key in stored.metrics]
    found = Workspace(title=stored.title, credit=stored.credit, sample=stored.sample, image=stored.image)
    found.metrics = known or first_metrics()
    try:
        found.options = metric_options.from_plain(stored.options)
    except InvalidInput as error:
        found.message = f"the options could not be set: {error}"
    found.set_references(text for text in map(squeeze, stored.references) if text)
    for system, caption in stored.candidates:
        if squeeze(caption):
            found.add([caption], squeeze(system))
    found.settle()
    return found


def first_metric(keys: list[str]) -> str:
    """Evidence opens on METEOR where there is a choice: its alignment says most to a newcomer."""
    return "meteor" if "meteor" in keys else (keys or [""])[0]


def squeeze(text: str) -> str:
    return " ".join(text.split())


def checked(caption: str) -> str:
    caption = squeeze(caption)
    if len(caption) > MAX_CAPTION:
        raise InvalidInput("the caption is too long", expected=f"at most {MAX_CAPTION:,} characters")
    # Half a character (a lone surrogate) can be pasted; it could never be saved or sent back to the browser.
    return caption.encode("utf-8", "replace").decode("utf-8")


def lines(text: str) -> list[str]:
    """Pasted text, one caption per line; blank lines and extra spaces dropped."""
    return [line for line in map(squeeze, text.splitlines()) if line]


def apply(ws: Workspace, component: str, sent: Any) -> bool:
    """Do what the browser asked for, each event once; True if what stands elsewhere on the page changed."""
    events = new_events(sent, ws.seen.get(component, 0))
    for event in events:
        ws.seen[component] = event["n"]
        try:
            _apply_one(ws, event)
        except InvalidInput as error:
            ws.message = str(error)
    ws.settle()
    return any(event.get("op") != "sort" for event in events)  # the browser has sorted its rows itself


def _apply_one(ws: Workspace, event: Mapping[str, Any]) -> None:
    texts = texts_of(event)
    captions = [caption for text in texts for caption in lines(text)]
    one = ws.find(event["id"]) if isinstance(event.get("id"), int) else None
    match event.get("op"):
        case "add":
            ws.add(captions)
        case "edit" if one and captions:
            one.caption = checked(" ".join(captions))
        case "rename" if one:
            one.system = squeeze(" ".join(texts))[:MAX_NAME]
        case "remove" if one:
            ws.candidates.remove(one)
        case "choose" if one:
            ws.chosen = one.id
            if event.get("key") in ws.metrics:
                ws.metric, ws.view = str(event["key"]), VIEWS[0]
        case "add reference":
            ws.set_references([*ws.references, *captions])
        case "edit reference" if event.get("id") in range(len(ws.references)):
            place = int(event["id"])
            if ws.references[place] == event.get("was"):
                ws.set_references([*ws.references[:place], *captions, *ws.references[place + 1 :]])
        case "sort" if event.get("key") in ws.metrics and event.get("turn") in (-1, 0, 1):
            ws.sort = str(event.get("key")), int(event["turn"])
        case "concept":
            ws.concept = "" if texts[:1] == [ws.concept] else "".join(texts[:1])
