"""A rating session without widgets: order, answers, skips, the way back, the file that goes out and comes in."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from capeval_core import CaptionItem, InvalidInput
from capeval_core.io.dataset import DataSet
from pages.judges.rating import ALL_PAIRS, AT_ONCE, BETTER, SCALE, Rating
from pages.work import uploads


def captions(images: int = 6, each: int = 3) -> DataSet:
    items = [
        CaptionItem(f"i{image}", f"caption {number} of {image}", (f"a {image}",), f"s{number}")
        for image in range(images)
        for number in range(each)
    ]
    return DataSet("made", tuple(items))


def again(rating: Rating) -> Rating:
    """Saved and opened by somebody who starts anew."""
    fresh = Rating(rating.data, rater=rating.rater)
    fresh.take(uploads.read_ratings([("mine.jsonl", rating.to_jsonl().encode())], uploads.bare(rating.data)))
    return fresh


def test_every_caption_comes_once_image_by_image_and_shuffled() -> None:
    rating = Rating(captions(20, 4))
    rows = [task[0] for screen in rating.screens for task in screen]
    assert sorted(rows) == list(range(80))
    assert all(len({row // 4 for (row,) in screen}) == 1 for screen in rating.screens)
    assert rows != sorted(rows)
    firsts = {screen[0][0] % 4 for screen in rating.screens}
    assert firsts == {0, 1, 2, 3}  # no captioner always stands first
    assert Rating(captions(20, 4)).screens == rating.screens
    assert [sorted(one) for one in Rating(captions(20, 4), rater="ann").screens] == [
        sorted(one) for one in rating.screens
    ]
    assert Rating(captions(20, 4), rater="ann").screens != rating.screens


def test_many_captions_of_one_image_are_cut_into_screens() -> None:
    rating = Rating(captions(1, 2 * AT_ONCE + 1))
    assert [len(screen) for screen in rating.screens] == [AT_ONCE, AT_ONCE, 1]


def test_answers_go_down_the_list_and_can_be_taken_back() -> None:
    rating = Rating(captions())
    order = [task for screen in rating.screens for task in screen]
    for value, task in zip("345", order, strict=False):
        assert rating.task == task
        rating.answer(task, value)
    rating.skip(order[3])
    assert rating.task == order[4]
    assert (rating.answered, rating.images) == (order[:3], 1)
    rating.undo()
    assert rating.task == order[3]
    rating.undo()
    assert rating.task == order[2]
    rating.answer(order[0], "1")  # rated again, not one more
    assert rating.answers == {order[0]: "1", order[1]: "4"}
    rating.undo()
    assert rating.answers == {order[1]: "4"}
    for task in order:
        rating.skip(task)
    assert rating.task is None
    assert rating.answered == [order[1]]


@pytest.mark.parametrize(("task", "value"), [((0,), "6"), ((0,), "first"), ((99,), "3"), ((0, 1), "3"), ((), "3")])
def test_what_is_no_answer_changes_nothing(task: tuple[int, ...], value: str) -> None:
    rating = Rating(captions())
    rating.answer(task, value)
    rating.skip((99,))
    rating.undo()
    assert (rating.answers, rating.skipped, rating.done) == ({}, set(), [])


def test_pairs_are_of_one_image_and_of_different_words() -> None:
    data = captions(5, 3)
    items = [*data.items, replace(data.items[0], system="copy")]
    rating = Rating(DataSet("made", tuple(items)), mode=BETTER)
    pairs = [screen[0] for screen in rating.screens]
    assert len(pairs) == 5 * 3 + 2  # all of three; the copy with the two others of its image
    assert all(items[a].image_id == items[b].image_id and items[a].candidate != items[b].candidate for a, b in pairs)
    many = Rating(captions(1, ALL_PAIRS + 3), mode=BETTER)
    assert len(many.screens) == ALL_PAIRS + 3  # a circle
    sides = [a < b for a, b in (screen[0] for screen in Rating(captions(40, 2), mode=BETTER).screens)]
    assert 5 < sum(sides) < 35


@pytest.mark.parametrize("mode", [SCALE, BETTER])
def test_a_saved_file_goes_on_where_it_was(mode: str) -> None:
    rating = Rating(captions(), rater="ann", mode=mode)
    values = "12345" if mode == SCALE else ("first", "second", "tie", "second", "first")
    for value in values:
        task = rating.task
        assert task
        rating.answer(task, value)
    fresh = again(rating)
    assert (fresh.mode, fresh.answers, fresh.task) == (mode, rating.answers, rating.task)
    assert fresh.can_undo


@pytest.mark.parametrize("mode", [SCALE, BETTER])
def test_the_session_is_kept_as_it_was(mode: str) -> None:
    rating = Rating(captions(), rater="ann", mode=mode)
    for value in ("3", "first"):
        rating.answer(rating.task or (), value)
    rating.skip(rating.task or ())
    found = Rating.found(json.loads(json.dumps(rating.kept())))
    found.data = rating.data
    assert found == Rating(
        rating.data, "ann", mode, rating.answers, rating.skipped, rating.done, _screens=found._screens
    )
    assert (found.task, found.answered) == (rating.task, rating.answered)


def test_the_file_names_what_was_rated_and_who_did() -> None:
    rating = Rating(captions(), rater="ann")
    rating.answer((0,), "4")
    assert [json.loads(line) for line in rating.to_jsonl().splitlines()] == [
        {"image_id": "i0", "system": "s0", "candidate": "caption 0 of 0", "rating": 4, "rater": "ann"}
    ]


def test_judgements_hold_these_answers_and_no_others() -> None:
    data = replace(captions(), ratings=((5.0,),) * 18)
    rating = Rating(data)
    rating.answer((3,), "2")
    found = rating.judgements().data.ratings
    assert found is not None
    assert found[3] == (2.0,)
    assert all(math.isnan(one[0]) for row, one in enumerate(found) if row != 3)
    rating.mode = BETTER
    pair = rating.screens[0][0]
    rating.answer(pair, "tie")
    pairs = rating.judgements().pairs
    assert pairs is not None
    assert (pairs.first, pairs.second, pairs.winners) == ((pair[0],), (pair[1],), ("tie",))


def test_another_scale_is_refused() -> None:
    file = b'{"image_id": "i0", "system": "s0", "rating": 3.5}\n'
    with pytest.raises(InvalidInput, match=r"a whole number from 1 to 5; found 3\.5"):
        Rating(captions()).take(uploads.read_ratings([("a.jsonl", file)], captions()))
