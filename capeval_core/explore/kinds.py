"""The table of errors: labels, filters, bars, the guide to each and the command line read it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    key: str
    label: str
    description: str
    group: str  # "content": against the references; "form": of the caption itself


_TABLE = (
    ("invented_object", "Nobody mentions it", "A thing that no reference mentions, nor anything like it", "content"),
    ("missed_object", "Missed object", "A thing that most people mention and the caption does not", "content"),
    ("wrong_colour", "Wrong colour", "The references give the same thing another colour", "content"),
    ("wrong_attribute", "Wrong attribute", "The references say the opposite of the same thing", "content"),
    ("wrong_count", "Wrong count", "The references count the same things otherwise", "content"),
    ("wrong_action", "Wrong action", "The references agree on another action", "content"),
    ("swapped_roles", "Swapped roles", "Who does it and to whom it is done are exchanged", "content"),
    ("wrong_person", "Wrong kind of person", "A man, woman, boy or girl against all references", "content"),
    ("repetition", "Repetition", "The same words or phrase again", "form"),
    ("broken_ending", "Broken ending", "It ends where more words must follow", "form"),
    ("too_short", "Much shorter than people", "At most half as long as the shortest reference", "form"),
    ("too_long", "Much longer than people", "At least twice as long as the longest reference", "form"),
    ("generic", "Generic", "The same caption for many images, or a very low SPURTS", "form"),
)
KINDS: dict[str, Kind] = {key: Kind(key, label, text, group) for key, label, text, group in _TABLE}
