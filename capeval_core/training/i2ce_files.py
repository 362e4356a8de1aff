"""I2CE's files: the model that is kept, and the checkpoint a broken run goes on from."""

from __future__ import annotations
