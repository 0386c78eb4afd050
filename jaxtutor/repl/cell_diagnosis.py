"""Diagnoses cells that failed, or that silently do something wrong.

It imports every matcher, so the prompt imports it when first needed, or when idle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.observations import Observation
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.core.diagnosis.engine.findings import find
from jaxtutor.core.diagnosis.engine.pages import Cause
from jaxtutor.core.repl.transcript import FILE, Transcript
from jaxtutor.errors import TutorError
from jaxtutor.storage import workspace


class DiagnosedFailure(Struct, frozen=True):
    """A failure, its diagnosis, and the sources that they refer to."""

    failure: Failure
    diagnosis: Diagnosis | None
    sources: dict[str, str]


def examine(
    failure: Failure, session: Transcript, files: tuple[str, ...], causes: Mapping[str, Cause]
) -> DiagnosedFailure:
    """Diagnose an exception raised by a cell, reading the session as one file."""
    lines = [frame.span.line for frame in failure.frames if frame.file == FILE]
    others = dict(_read_each(files))
    diagnosed = diagnose(failure, {FILE: session.source(lines), **others}, causes)
    found = diagnosed.diagnosis if diagnosed is not None else None
    if found is not None and failure.error_class == "EOFError" and failure.message:
        found = replace(found, summary=failure.message)  # the message is the prompt's own
    return DiagnosedFailure(failure, found, {FILE: session.text(), **others})


def find_silent_mistakes(
    seen: tuple[Observation, ...],
    session: Transcript,
    files: tuple[str, ...],
    causes: Mapping[str, Cause],
) -> tuple[tuple[Diagnosis, str], ...]:
    """Return findings, from observations and from the source alone, each with its file's text."""
    lines = [one.frame.span.line for one in seen if one.frame is not None]
    if not seen:  # then earlier cells are not involved
        sources = {FILE: session.last_alone()}
    else:
        sources = {FILE: session.source(lines), **dict(_read_each(files))}
    shown = session.shown()
    return tuple(
        (one.diagnosis, sources.get(one.diagnosis.file, ""))
        for one in find(seen, sources, causes)
        if not _is_shown(one.diagnosis, shown)
    )


_DROPPED = ("at-set-result-dropped", "update-result-dropped")


def _is_shown(finding: Diagnosis, shown: tuple[int, int] | None) -> bool:
    """Return whether the dropped result is one that the prompt shows, and keeps as `_`."""
    if finding.cause not in _DROPPED or finding.span is None:
        return False
    return finding.file == FILE and (finding.span.line, finding.span.column) == shown


def _read_each(files: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Read the learner's files that cells imported."""
    for name in files:
        with suppress(TutorError):
            yield name, workspace.read_program(Path(name)).text
