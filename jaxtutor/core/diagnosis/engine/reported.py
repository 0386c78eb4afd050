"""Remembers which findings were reported, for programs and sessions that go on."""

from __future__ import annotations

from jaxtutor.core.data.diagnoses import Diagnosis


class Reported:
    """Remembers findings, so that each is reported once."""

    def __init__(self) -> None:
        self._known: set[tuple[str | None, str, int, str]] = set()

    def is_new(self, found: Diagnosis) -> bool:
        """Return whether a finding was not asked about before."""
        line = found.span.line if found.span is not None else 0
        key = (found.cause, found.file, line, found.expression)
        is_new = key not in self._known
        self._known.add(key)
        return is_new
