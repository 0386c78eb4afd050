"""Accepts the findings that a project has today, so that only new ones are reported."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.fingerprints import unique_names
from jaxtutor.core.data.lines import split_lines
from jaxtutor.core.linting.source_lint import LintedFile

VERSION = 1


class Accepted(Struct, frozen=True, order=True):
    """A finding that is accepted. The path is relative to the folder of the baseline."""

    path: str
    cause: str
    fingerprint: str


class Baseline(Struct, frozen=True):
    """The accepted findings of a project, as its file has them."""

    version: int
    findings: tuple[Accepted, ...] = ()


class BaselineFault(Exception):
    """The file is not a baseline that this version reads."""


def read_baseline(data: bytes) -> Baseline:
    """Read a baseline. Raises BaselineFault."""
    try:
        version = msgspec.json.decode(data, type=_Versioned).version
        if version != VERSION:
            raise BaselineFault(f"is a baseline of version {version}, not {VERSION}")
        return msgspec.json.decode(data, type=Baseline)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BaselineFault(f"is not a baseline: {error}") from None


class _Versioned(Struct):
    version: int


def write_baseline(found: Iterable[Accepted]) -> bytes:
    """Write a baseline, with a line for each finding, so that changes can be reviewed."""
    data = msgspec.json.encode(Baseline(VERSION, tuple(sorted(found))))
    return msgspec.json.format(data, indent=1) + b"\n"


def name_findings(linted: LintedFile, text: str, path: str) -> list[Accepted]:
    """Name the findings of a file as a baseline would have them."""
    lines = split_lines(text)
    facts = [
        (found.cause or "", path, lines[found.line - 1] if 0 < found.line <= len(lines) else "")
        for found in linted.found
    ]
    names = unique_names(facts)
    return [Accepted(path, fact[0], name) for fact, name in zip(facts, names, strict=True)]


def without_accepted(
    linted: LintedFile, named: Sequence[Accepted], accepted: Collection[Accepted]
) -> LintedFile:
    """Leave out the findings of a file that are accepted."""
    pairs = zip(linted.found, named, strict=True)
    return replace(linted, found=tuple(found for found, name in pairs if name not in accepted))
