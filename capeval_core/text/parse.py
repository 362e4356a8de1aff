"""Parse: the basic dependency tree of one sentence, as plain data."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parse:
    """Five tuples of one length, one entry per word."""

    words: tuple[str, ...]
    tags: tuple[str, ...]  # Penn Treebank
    lemmas: tuple[str, ...]
    heads: tuple[int, ...]  # 1-based position of the governor, 0 = root
    relations: tuple[str, ...]  # Universal Dependencies v1, basic
