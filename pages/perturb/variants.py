"""The changed captions of a request, made once by a background job and shared by all sessions."""

from __future__ import annotations

import threading

from capeval_core import CaptionItem
from capeval_core.perturb import Variants, perturb
from capeval_core.shared import Shared
from capeval_core.types import Progress
from pages.perturb.lab import Request
from pages.work.jobs import Job, Outcome, jobs
from pages.work.samples import as_items
from pages.work.workspace import IMAGE_ID

MOST_WORDS = 100  # of a caption that is changed: no caption is longer, and a visitor would wait
READ_AT_MOST = 300  # requests before the parsed captions are let go of


def find(request: Request) -> Outcome | None:
    """The made rows, why there are none, or None while they are not made."""
    if not request.kinds or not request.caption:
        return Outcome(Variants())
    return jobs().find(("variants", request))


def job(request: Request) -> Job:
    return Job(("variants", request), "Changing the words", lambda report: _make(request, report), short=True)


class _Read:
    """The parses of the samples' captions, from which distractors are taken, are kept from request to request."""

    lock = threading.Lock()  # one request at a time: the progress is its own
    shared = Shared()
    count = 0


def _make(request: Request, report: Progress) -> Variants:
    if len(request.caption.split()) > MOST_WORDS:
        found = Variants()
        found.missing |= {(0, kind): f"the caption has more than {MOST_WORDS} words" for kind in request.kinds}
        return found
    with _Read.lock:
        _Read.count += 1
        if _Read.count > READ_AT_MOST:
            _Read.shared, _Read.count = Shared(), 0
        _Read.shared.on_progress = report
        return perturb(
            CaptionItem(IMAGE_ID, request.caption, request.references),
            request.kinds,
            strength=request.strength,
            seed=request.seed,
            corpus=as_items(),
            shared=_Read.shared,
        )
