"""What can go wrong, as one tree. Each error says what was expected, what was found and how to fix it.

CapEvalError
├── InvalidInput      the caller's data: a field, a file, an option, a metric name
├── MissingResource   a data file or model that is not on this machine
├── MetricFailed      a metric broke while scoring; the other metrics still score
└── WorkerLost        processes died on the same captions again and again; what is scored is kept
"""

from __future__ import annotations


class CapEvalError(Exception):
    def __init__(self, message: str, *, expected: str = "", found: str = "", fix: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.expected = expected
        self.found = found
        self.fix = fix

    def __str__(self) -> str:
        """One line, fit for a terminal: user text inside it cannot start a new line."""
        parts = [self.message]
        parts += [f"expected {self.expected}"] if self.expected else []
        parts += [f"found {self.found}"] if self.found else []
        text = "; ".join(parts)
        return " ".join((f"{text}. Fix: {self.fix}" if self.fix else text).split())


class InvalidInput(CapEvalError):
    pass


class MissingResource(CapEvalError):
    pass


class MetricFailed(CapEvalError):
    pass


class WorkerLost(CapEvalError):
    pass
