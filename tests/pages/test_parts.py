"""What the pages are made of, without Streamlit."""

from __future__ import annotations

import base64
import io
import json
import math
import struct
import time
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.offline
import pytest
from PIL import Image

from capeval_core import CaptionItem, Evaluation, InvalidInput, MissingResource, evaluate, registry
from capeval_core.figures.palette import LIGHT
from capeval_core.io.workspace import StoredWorkspace
from pages.inspect import blame, compare, exports, report, table
from pages.work import cells as cache
from pages.work import images, share, workspace
from pages.work.bands import bands
from pages.work.cells import Scorer
from pages.work.workspace import Workspace, restore

NGRAM = ["bleu_1", "bleu_2", "rouge_l"]
REFERENCES = ("a dog runs on grass", "the dog is running", "a brown dog")


def make(captions: Sequence[str] = ("a dog", "a cat sleeps"), keys: Sequence[str] = NGRAM) -> Workspace:
    return restore(StoredWorkspace(REFERENCES, tuple(("", text) for text in captions), tuple(keys)))


class Counting:
    """evaluate(), remembering what it was asked for."""

    def __init__(self) -> None:
        self.calls: list[tuple[list[str], tuple[str, ...]]] = []

    def __call__(self, items: Sequence[CaptionItem], keys: Iterable[str], **more: Any) -> Evaluation:
        self.calls.append(([item.candidate for item in items], tuple(keys)))
        return evaluate(items, keys, **more)


def finish(scorer: Scorer, ws: Workspace) -> None:
    items = [*ws.items(), *ws.human_items()]
    scorer.want("me", items, ws.metrics)
    scorer.wait(items, ws.metrics, 60)
    assert scorer.pending(items, ws.metrics) == []


def test_scores_are_the_services_and_only_what_changed_is_scored_again() -> None:
    counting = Counting()
    scorer, ws = Scorer(counting), make()
    finish(scorer, ws)
    expected = evaluate(ws.items(), NGRAM).scores
    for key in NGRAM:
        cells = [scorer.get(item, key) for item in ws.items()]
        assert [cell.value for cell in cells if cell] == expected[key].tolist()
    counting.calls.clear()
    ws.candidates[1].caption = "a dog sleeps"
    finish(scorer, ws)
    assert counting.calls == [(["a dog sleeps"], tuple(NGRAM))]  # one caption, all metrics, one call
    counting.calls.clear()
    finish(scorer, ws)
    assert counting.calls == []


def test_another_session_finds_the_scores() -> None:
    counting = Counting()
    scorer = Scorer(counting)
    finish(scorer, make())
    counting.calls.clear()
    finish(scorer, make())
    assert counting.calls == []


def test_a_broken_metric_says_why_and_the_worker_lives() -> None:
    def broken(items: Any, keys: Any, **more: Any) -> Evaluation:
        raise RuntimeError("boom")

    scorer, ws = Scorer(broken), make()
    finish(scorer, ws)
    cell = scorer.get(ws.items()[0], "bleu_1")
    assert cell
    assert cell.failed
    assert math.isnan(cell.value)
    assert "boom" in cell.note
    finish(scorer, make(["another caption"]))


def test_what_failed_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[bool] = []

    def mended(items: Any, keys: Any, **more: Any) -> Evaluation:
        calls.append(True)
        if len(calls) == 1:
            raise RuntimeError("boom")
        return evaluate(items, keys, **more)

    def states() -> set[bool]:
        return {cell.failed for item in ws.items() if (cell := scorer.get(item, "rouge_l"))}

    scorer, ws = Scorer(mended), make(keys=["rouge_l"])
    finish(scorer, ws)
    finish(scorer, ws)
    assert (len(calls), states()) == (1, {True})  # not at once: it would fail again
    monkeypatch.setattr(cache, "RETRY_AFTER", 0.0)
    finish(scorer, ws)
    for _ in range(600):
        if states() == {False}:
            break
        time.sleep(0.01)
    assert states() == {False}
    calls.clear()
    monkeypatch.undo()
    scorer, ws = Scorer(mended), make(keys=["rouge_l"])
    finish(scorer, ws)
    scorer.forget_failures()  # the page's "Try again"
    finish(scorer, ws)
    assert states() == {False}


def test_an_evaluation_with_a_metric_missing_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def incomplete(items: Any, keys: Any) -> Evaluation:
        calls.append(1)
        return replace(evaluate(items, keys), skipped={"rouge_l": MissingResource("gone", fix="fetch")})

    monkeypatch.setattr(cache, "evaluate", incomplete)
    item = CaptionItem("x", "nobody ever scored this", REFERENCES)
    cache.evaluate_now([item], ["rouge_l"])
    cache.evaluate_now([item], ["rouge_l"])
    assert len(calls) == 2


def test_the_band_is_each_reference_against_the_others() -> None:
    scorer, ws = Scorer(), make()
    finish(scorer, ws)
    values = [
        evaluate([CaptionItem("x", text, tuple(r for r in REFERENCES if r != text))], ["rouge_l"]).scores["rouge_l"][0]
        for text in REFERENCES
    ]
    band = bands(ws, scorer, NGRAM)["rouge_l"]
    assert (band.low, band.middle, band.high) == (min(values), sorted(values)[1], max(values))
    ws.set_references(REFERENCES[:1])
    assert bands(ws, scorer, NGRAM) == {}


def test_the_table_marks_the_best_and_gives_reasons() -> None:
    scorer, ws = Scorer(), make()
    finish(scorer, ws)
    data = table.table_data(ws, scorer, LIGHT, None)
    assert [column["key"] for column in data["columns"]] == NGRAM
    assert [row["cells"][0]["best"] for row in data["rows"]] == [True, False]
    assert data["pending"] is False
    json.dumps(data, allow_nan=False)
    ws.set_references(())
    finish(scorer, ws)
    data = table.table_data(ws, scorer, LIGHT, None)
    assert {(cell["t"], cell["state"]) for row in data["rows"] for cell in row["cells"]} == {("–", "nan")}
    assert "has none" in data["rows"][0]["cells"][0]["tip"]


def test_events_are_done_once_and_nonsense_is_ignored() -> None:
    ws = make()
    first = ws.candidates[0].id
    events: list[Any] = [
        {"n": 1, "op": "edit", "id": first, "texts": ["  a   big dog "]},
        {"n": 2, "op": "add", "texts": ["one\n\n two "]},
        {"n": 3, "op": "choose", "id": ws.candidates[1].id, "key": "rouge_l"},
    ]
    assert workspace.apply(ws, "table", events)
    assert not workspace.apply(ws, "table", events)
    assert [one.caption for one in ws.candidates] == ["a big dog", "a cat sleeps", "one", "two"]
    assert (ws.chosen, ws.metric) == (ws.candidates[1].id, "rouge_l")
    for nonsense in (None, 3, ["x"], [{"n": "4"}], [{"n": 9, "op": "edit", "id": "x"}], [{"n": 10, "op": "rm"}]):
        workspace.apply(ws, "table", nonsense)
    assert len(ws.candidates) == 4
    workspace.apply(ws, "table", [{"n": 11, "op": "edit", "id": first, "texts": ["x" * 10_001]}])
    assert "too long" in ws.message
    assert ws.candidates[0].caption == "a big dog"
    workspace.apply(ws, "table", [{"n": 12, "op": "remove", "id": first}])
    assert len(ws.candidates) == 3


def test_references_are_edited_only_where_the_visitor_saw_them() -> None:
    ws = make()
    workspace.apply(ws, "references", [{"n": 1, "op": "add reference", "texts": ["a\nb"]}])
    assert ws.references == [*REFERENCES, "a", "b"]
    workspace.apply(ws, "references", [{"n": 2, "op": "edit reference", "id": 3, "was": "a", "texts": []}])
    assert ws.references == [*REFERENCES, "b"]
    stale = {"n": 3, "op": "edit reference", "id": 3, "was": "a", "texts": ["c"]}
    outside = {"n": 4, "op": "edit reference", "id": 99, "was": "a", "texts": ["c"]}
    workspace.apply(ws, "references", [stale, outside])
    assert ws.references == [*REFERENCES, "b"]


def test_links_come_back_and_altered_ones_are_refused() -> None:
    stored = make().stored()
    packed = share.encode(stored)
    assert packed
    assert share.decode(packed) == stored
    noise = "".join(map(chr, np.random.default_rng(0).integers(0x4E00, 0x9000, 9_000)))
    assert share.encode(StoredWorkspace((noise,), ())) is None
    bomb = base64.urlsafe_b64encode(zlib.compress(b" " * 2_000_000, 9)).decode().rstrip("=")
    for wrong in ("", "@@", packed[:-9], packed[:20] + "x" + packed[21:], bomb, "A" * 5_000, "é"):
        with pytest.raises(InvalidInput, match="cannot be opened"):
            share.decode(wrong)


def picture(kind: str, size: tuple[int, int] = (30, 20)) -> bytes:
    target = io.BytesIO()
    Image.new("RGB", size, "red").save(target, kind)
    return target.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_images_are_read_small(kind: str) -> None:
    with Image.open(io.BytesIO(images.read_image(picture(kind, (3_000, 1_500))))) as found:
        assert found.size == (1_200, 600)


def bomb() -> bytes:
    """A PNG of 1 KB that claims 50,000 x 50,000 pixels."""
    head = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(bytes(1_000))), (b"IEND", b"")]
    chunks = [struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in parts]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (bytes(20_000_000), "at most 10 MB"),
        (bomb(), "at most 40 million pixels"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "a PNG, JPEG or WEBP"),
        (b"just text", "a PNG, JPEG or WEBP"),
        (picture("GIF"), "a PNG, JPEG or WEBP"),
        (picture("PNG")[:60], "a PNG, JPEG or WEBP"),
        (b"", "a PNG, JPEG or WEBP"),
    ],
)
def test_what_is_no_image_is_refused(data: bytes, found: str) -> None:
    with pytest.raises(InvalidInput, match=found):
        images.read_image(data)


def test_blame_is_the_change_without_each_word() -> None:
    item = CaptionItem("x", "a dog dog runs", REFERENCES)
    found = blame.blame(item, NGRAM)
    assert found.words == ("a", "dog", "dog", "runs")
    shorter = ["dog dog runs", "a dog runs", "a dog runs", "a dog dog"]
    scores = evaluate([CaptionItem("x", text, REFERENCES) for text in shorter], NGRAM).scores
    for row, key in enumerate(found.keys):
        assert (found.value[row] + found.change[row]).tolist() == pytest.approx(scores[key].tolist())
    assert "“dog”" in blame.sentence(found, {})
    assert len(blame.draw(found, {}, LIGHT).data[0].z) == len(NGRAM)
    with pytest.raises(InvalidInput, match="at most 60 words"):
        blame.blame(CaptionItem("x", "dog " * 61, REFERENCES), NGRAM)


def test_word_diff_tells_shared_words_from_others() -> None:
    left, right = compare.word_diff("A dog runs.", "a big dog runs")
    assert [word.kind for word in left.words] == ["matched", "matched", "matched"]
    assert [word.kind for word in right.words] == ["matched", "missed", "matched", "matched"]


HOSTILE = "<script>alert(1)</script> $x$ ![](http://evil/x.png)"


def test_the_report_stands_alone_and_escapes() -> None:
    from pages.work.cells import scorer

    ws = make([HOSTILE, "a dog"])
    ws.image = images.read_image(picture("PNG"))
    finish(scorer(), ws)
    text = report.build(ws, scorer()).replace(plotly.offline.get_plotlyjs(), "")
    assert text.count("Plotly.newPlot") >= 1
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text
    assert "data:image/jpeg;base64," in text
    assert "≈" not in text
    assert 'src="http' not in text
    assert 'href="http' not in text
    assert all(registry.get(key).label in text for key in NGRAM)


def test_exports_carry_every_digit_and_signatures() -> None:
    from pages.work.cells import scorer

    ws = make(["=cmd()", "a dog"])
    finish(scorer(), ws)
    content = json.loads(exports.scores_json(ws, scorer()))
    assert content["candidates"][1]["scores"]["rouge_l"] == evaluate(ws.items(), ["rouge_l"]).scores["rouge_l"][1]
    assert content["signatures"]["rouge_l"].startswith("rouge_l|")
    rows = exports.scores_csv(ws, scorer()).splitlines()
    assert rows[0] == "system,candidate,bleu_1,bleu_2,rouge_l"
    assert rows[1].startswith(",'=cmd()")  # a spreadsheet shows it, and runs nothing
    assert "rouge_l|" in rows[-1]


def test_three_hundred_candidates_are_scored_in_pieces() -> None:
    scorer, ws = Scorer(), make([f"a dog number {n}" for n in range(300)], ["bleu_1"])
    started = time.monotonic()
    finish(scorer, ws)
    assert len(table.table_data(ws, scorer, LIGHT, None)["rows"]) == 300
    assert time.monotonic() - started < 20
