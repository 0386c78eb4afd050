"""Owns what is found out of a cell that failed, or that silently does wrong.

It loads every matcher there is, so the prompt loads it when it is first needed, or has time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.model import Diagnosis, Failure, Observation
from jaxtutor.core.diagnosis.diagnose import diagnose
from jaxtutor.core.diagnosis.findings import find
from jaxtutor.core.diagnosis.pages import Cause
from jaxtutor.core.repl.transcript import FILE, Transcript
from jaxtutor.errors import TutorError
from jaxtutor.storage import workspace


class DiagnosedFailure(Struct, frozen=True):
    """A failure, its diagnosis, and the sources that they speak of."""

    failure: Failure
    diagnosis: Diagnosis | None
    sources: dict[str, str]


def examine(
    failure: Failure, session: Transcript, files: tuple[str, ...], causes: Mapping[str, Cause]
) -> DiagnosedFailure:
    """Diagnose what a cell raised, the session read as one file."""
    lines = [frame.span.line for frame in failure.frames if frame.file == FILE]
    others = dict(_read_each(files))
    found = diagnose(failure, {FILE: session.source(lines), **others}, causes)
    if found is not None and failure.error_class == "EOFError" and failure.message:
        found = replace(found, summary=failure.message)  # it says what stands in for a keyboard
    return DiagnosedFailure(failure, found, {FILE: session.text(), **others})


def look_over(
    seen: tuple[Observation, ...],
    session: Transcript,
    files: tuple[str, ...],
    causes: Mapping[str, Cause],
) -> tuple[tuple[Diagnosis, str], ...]:
    """Name what was seen, and what the source alone shows; each with its file's text."""
    lines = [one.frame.span.line for one in seen if one.frame is not None]
    if not seen:  # then the other cells have nothing to do with it
        sources = {FILE: session.last_alone()}
    else:
        sources = {FILE: session.source(lines), **dict(_read_each(files))}
    shown = session.shown()
    return tuple(
        (one, sources.get(one.file, ""))
        for one in find(seen, sources, causes)
        if not _is_shown(one, shown)
    )


def _is_shown(finding: Diagnosis, shown: tuple[int, int] | None) -> bool:
    """Tell whether what is said to be dropped is what the prompt shows, and keeps as `_`."""
    if finding.cause != "at-set-result-dropped" or finding.span is None:
        return False
    return finding.file == FILE and (finding.span.line, finding.span.column) == shown


def _read_each(files: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Read the learner's files that cells ran."""
    for name in files:
        with suppress(TutorError):
            yield name, workspace.read(Path(name)).text
