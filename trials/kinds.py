"""Reads the kinds of hostile submissions, with the verdict that each of them must get.

A kind is a submission for the lesson safe-clip-positive, in tests/hostile or generated. Its first
lines are comments:

    # expects: STATUS: words        the verdict, and words in the first lines of the output
    # One sentence that says what it does.
    # or: STATUS: words             an alternative, by the machine or the version of jax
    # in ENTRANCE: STATUS: words    another entrance with another verdict; may be repeated
    # not in ENTRANCE: why          an entrance where it is not tried; may be repeated

STATUS is a verdict's (several with `|`), or `refused` if the file is not read at all. An entrance
that has no line of its own must give what corresponds to the verdict of a check.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "tests" / "hostile"

_FIRST = re.compile(r"# expects: (?P<status>[\w|]+): (?P<words>.*)")
_OR = re.compile(r"# or: (?P<status>[\w|]+): (?P<words>.*)")
_ELSEWHERE = re.compile(r"# in (?P<where>\w+): (?P<status>[\w|]+): ?(?P<words>.*)")
_NOT = re.compile(r"# not in (?P<where>\w+): (?P<why>.+)")


@dataclass(frozen=True)
class Expectation:
    """The verdict of a kind: one of the statuses, and the words that name what happened."""

    statuses: tuple[str, ...]
    words: str
    other: Expectation | None = None

    def fits(self, status: str, shown: str) -> bool:
        """Return True if a status and a text are as expected."""
        words = self.words.lower() in shown.lower()
        here = status in self.statuses and words
        return here or (self.other is not None and self.other.fits(status, shown))


@dataclass(frozen=True)
class Kind:
    """A hostile submission. `skipped` maps the entrances where it is not tried to the reason."""

    name: str
    source: bytes
    does: str
    expects: Expectation
    elsewhere: Mapping[str, Expectation] = field(default_factory=dict)
    skipped: Mapping[str, str] = field(default_factory=dict)


def make(name: str, header: str, source: bytes) -> Kind:
    """Return the kind described by the comments at the top of a source."""
    lines = header.splitlines()
    first = _FIRST.fullmatch(lines[0])
    if first is None or len(lines) < 2:
        raise ValueError(f"{name}: the first lines must say what it must come to, and what it does")
    elsewhere, skipped, does = {}, {}, ""
    other: Expectation | None = None
    for line in lines[1:]:
        if found := _ELSEWHERE.fullmatch(line):
            elsewhere[found["where"]] = _expectation(found)
        elif found := _OR.fullmatch(line):
            other = _expectation(found)
        elif found := _NOT.fullmatch(line):
            skipped[found["where"]] = found["why"]
        else:
            does = f"{does} {line.removeprefix('#').strip()}".strip()
    return Kind(name, source, does, _expectation(first, other), elsewhere, skipped)


def _expectation(found: re.Match[str], other: Expectation | None = None) -> Expectation:
    return Expectation(tuple(found["status"].split("|")), found["words"].strip(), other)


def read(path: Path) -> Kind:
    """Read a kind from its file."""
    source = path.read_bytes()
    lines = source.decode("utf-8").splitlines()
    end = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return make(path.stem, "\n".join(lines[:end]), source)
