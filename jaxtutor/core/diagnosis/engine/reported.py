"""Remembers which findings were reported, for programs and sessions that go on."""

from __future__ import annotations

from typing import Protocol


class NamedMistake(Protocol):
    """A diagnosis in either of its forms: that of the engine, or that of the library."""

    @property
    def cause(self) -> str | None:
        """The name of the cause."""

    @property
    def file(self) -> str:
        """The file that has to change."""

    @property
    def line(self) -> int:
        """The line that has to change."""

    @property
    def expression(self) -> str:
        """The text at the place."""


class Reported:
    """Remembers findings, so that each is reported once."""

    def __init__(self) -> None:
        self._known: set[tuple[str | None, str, int, str]] = set()

    def is_new(self, found: NamedMistake) -> bool:
        """Return whether a finding was not asked about before."""
        key = (found.cause, found.file, found.line, found.expression)
        is_new = key not in self._known
        self._known.add(key)
        return is_new
