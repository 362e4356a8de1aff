"""Dependency trees from scores of heads: is it a tree, and which tree is best.

Head 0 is the root; word i of a sentence (counted from 1) is row i - 1. The parses we imitate have one root each and no
crossing arcs (10 of 109,000 have some), so only such trees count here.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Scores = npt.NDArray[np.floating]


def are_trees(heads: Ints) -> npt.NDArray[np.bool_]:
    """For each row of heads (sentences, words): one root, no cycle, no crossing arcs."""
    sentences, words = heads.shape
    reached = np.concatenate([np.zeros((sentences, 1), heads.dtype), heads], axis=1)
    for _ in range(max(1, words).bit_length()):  # each round doubles the way upwards
        reached = np.take_along_axis(reached, reached, axis=1)
    one_root, no_cycle = (heads == 0).sum(axis=1) == 1, (reached == 0).all(axis=1)
    return np.asarray(one_root & no_cycle & ~_cross(heads))


def _cross(heads: Ints) -> npt.NDArray[np.bool_]:
    position = np.arange(1, heads.shape[1] + 1)
    low, high = np.minimum(heads, position)[:, :, None], np.maximum(heads, position)[:, :, None]
    inside = (low < position) & (position < high) & (heads > 0)[:, :, None]
    head = heads[:, None, :]
    return np.asarray((inside & ((head < low) | (head > high))).any(axis=(1, 2)))


def choose_heads(arcs: Scores) -> Ints:
    """(sentences, words, words + 1) -> (sentences, words): each word's best head; if that is no tree, the best tree."""
    words = arcs.shape[1]
    own = np.eye(words, words + 1, k=1, dtype=bool)
    scores = np.where(own, -np.inf, arcs)  # a word is not its own head
    heads: Ints = scores.argmax(axis=2)
    for row in np.flatnonzero(~are_trees(heads)):
        likely = scores[row] - scores[row].max(axis=1, keepdims=True)
        heads[row] = best_tree(likely - np.log(np.exp(likely).sum(axis=1, keepdims=True)))
    return heads


def best_tree(scores: Scores) -> list[int]:
    """The maximum spanning tree without crossing arcs, with one root (Eisner 1996); scores: (words, words + 1)."""
    words = len(scores)
    arc = scores[:, 1:].T  # arc[h, d], both counted from 0
    # complete[h, e] and pending[h, e]: best score of the span from head h to its end e (left or right of it).
    complete, pending = np.zeros((words, words)), np.full((words, words), -np.inf)
    cut = np.zeros((words, words), dtype=np.int64)
    joint = np.zeros((words, words), dtype=np.int64)
    for width in range(1, words):
        for i in range(words - width):
            j = i + width
            halves = complete[i, i:j] + complete[j, i + 1 : j + 1]
            k = int(halves.argmax())
            joint[i, j] = joint[j, i] = i + k
            pending[i, j], pending[j, i] = halves[k] + arc[i, j], halves[k] + arc[j, i]
            rightward = pending[i, i + 1 : j + 1] + complete[i + 1 : j + 1, j]
            leftward = complete[i:j, i] + pending[j, i:j]
            cut[i, j], cut[j, i] = i + 1 + int(rightward.argmax()), i + int(leftward.argmax())
            complete[i, j], complete[j, i] = rightward.max(), leftward.max()
    root = int((scores[:, 0] + complete[:, 0] + complete[:, -1]).argmax())
    heads = [0] * words
    spans = [(root, 0), (root, words - 1)]
    while spans:
        head, end = spans.pop()
        if head != end:
            dependent = int(cut[head, end])
            heads[dependent] = head + 1
            middle = int(joint[head, dependent])
            left, right = middle, middle + 1
            inner = ((head, left), (dependent, right)) if head < end else ((head, right), (dependent, left))
            spans += [(dependent, end), *inner]
    return heads
