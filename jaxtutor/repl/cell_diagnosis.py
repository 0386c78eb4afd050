"""Diagnoses cells that failed, or that silently do something wrong.

It imports every matcher, so the prompt imports it when first needed, or when idle.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.observations import Observation
from jaxtutor.core.diagnosis.engine.cells import is_displayed
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.core.diagnosis.engine.findings import SessionFindings
from jaxtutor.core.diagnosis.engine.pages import Cause
from jaxtutor.core.repl.transcript import FILE, Transcript
from jaxtutor.storage import workspace


class DiagnosedFailure(Struct, frozen=True):
    """A failure, its diagnosis, and the sources that they refer to."""

    failure: Failure
    diagnosis: Diagnosis | None
    sources: dict[str, str]


def examine(
    failure: Failure,
    session: Transcript,
    files: tuple[str, ...],
    causes: Mapping[str, Cause],
    changed: tuple[str, ...] = (),
) -> DiagnosedFailure:
    """Diagnose an exception raised by a cell, reading the session as one file."""
    lines = [frame.span.line for frame in failure.frames if frame.file == FILE]
    others = workspace.read_texts(files)
    sources = {FILE: session.source(lines), **others}
    diagnosed = diagnose(failure, sources, causes, changed=changed)
    found = diagnosed.diagnosis if diagnosed is not None else None
    if found is not None and failure.error_class == "EOFError" and failure.message:
        found = replace(found, summary=failure.message)  # the message is the prompt's own
    return DiagnosedFailure(failure, found, {FILE: session.text(), **others})


def find_silent_mistakes(
    findings: SessionFindings,
    seen: tuple[Observation, ...],
    session: Transcript,
    files: tuple[str, ...],
) -> tuple[tuple[Diagnosis, str], ...]:
    """Return findings, from observations and from the source alone, each with its file's text.

    Of earlier cells only what was observed in them counts.
    """
    lines = [one.frame.span.line for one in seen if one.frame is not None]
    cells = session.source(lines) if seen else session.last_alone()
    sources = {FILE: cells, **workspace.read_texts(files)}
    displayed = session.displayed_place()
    return tuple(
        (one.diagnosis, sources.get(one.diagnosis.file, ""))
        for one in findings.find(seen, sources)
        if not (one.diagnosis.file == FILE and is_displayed(one.diagnosis, displayed))
    )
