"""The version, part of every signature: it grows whenever a score moves."""

VERSION = "0.1.0"
