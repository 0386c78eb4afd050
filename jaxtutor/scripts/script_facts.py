"""Names what a learner's own program raised or silently did, from the facts of its run.

It imports all that recognises causes, and is itself imported while the program runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.facts import CaughtFailure, Event, Outcome, ScriptFacts
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.verdicts import ScriptStatus
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.core.diagnosis.engine.findings import find_all, find_endless
from jaxtutor.core.diagnosis.engine.pages import Cause
from jaxtutor.core.diagnosis.engine.rules import Diagnosed
from jaxtutor.core.judging.outcomes import observations, pick
from jaxtutor.core.linting.source_lint import Allowances
from jaxtutor.scripts.programs import Program
from jaxtutor.scripts.script_diagnosis import ScriptDiagnosis, TestDiagnosis
from jaxtutor.storage import workspace

BASES = ("KeyboardInterrupt", "BaseException", "object")
MOST_TESTS = 4
"""Failing tests that are diagnosed one by one; many fail for one reason."""


def describe(
    outcome: Outcome, program: Program, causes: Mapping[str, Cause], allowances: Allowances
) -> ScriptDiagnosis:
    """Name what a program raised or silently did, from the facts of its run."""
    facts = next(iter(pick(outcome, ScriptFacts)), None)
    file = program_file(program, facts)
    sources = read_sources(program, facts)
    allowances.read_all(sources)
    failure = facts.failure if facts else None
    changed = facts.changed if facts else ()
    found = diagnose(failure, sources, causes, changed=changed) if failure else None
    caught = tuple(_diagnose_caught(facts, sources, causes))
    if failure is None and caught:
        failure, found = caught[0].failure, caught[0].diagnosed
    is_stopped = failure is not None and failure.error_class == "KeyboardInterrupt"
    is_complete = failure is None or is_stopped or bool(caught)
    silent: tuple[Diagnosed, ...] = ()
    looks: tuple[Diagnosed, ...] = ()
    was_cut = outcome.end != "finished" and failure is None  # then what was known until then
    if (facts and is_complete) or was_cut:
        silent, looks = find_all(observations(outcome), sources, causes, allowances.is_reported)
    if outcome.end == "timed_out":
        endless = find_endless(sources, causes)  # first why it did not end
        silent = (*(it for it in endless if allowances.is_reported(it.diagnosis)), *silent)
    findings = tuple(it.diagnosis for it in silent)
    for raised in (found, *(item.diagnosed for item in caught)):
        if raised is not None:
            allowances.is_reported(raised.diagnosis)  # it always is, and whether one names it
    status = outcome.exit_status
    if status is None and facts is not None:
        status = facts.exit_status
    return ScriptDiagnosis(
        status=_status(outcome, failure, findings, status),
        program=program,
        file=file,
        device=outcome.device,
        jax_version=outcome.machine.jax if outcome.machine else "",
        seconds=outcome.seconds,
        failure=failure,
        diagnosis=found.diagnosis if found is not None else None,
        findings=findings,
        diagnosed=(*filter(None, [found]), *silent),
        sources=sources,
        stdout="".join(text for _, text in outcome.printed),
        end_detail=outcome.end_detail,
        exit_status=status,
        traceback=facts.traceback if facts else "",
        caught=caught,
        changed=changed,
        looks=tuple(it.diagnosis for it in looks),
        coverage=facts.coverage if facts else None,
        allowed=allowances.allowed,
        raised_anyway=tuple(allowances.raised),
        comment_faults={file: each for file, each in allowances.faults.items() if each},
    )


def as_interrupted(outcome: Outcome) -> Outcome:
    """Call an ImportError what it was: a Ctrl-C that a module in C met while it was imported.

    NumPy and jaxlib print the Ctrl-C and raise an ImportError of their own without it.
    """
    return replace(outcome, events=tuple(map(_as_interrupted, outcome.events)))


def _as_interrupted(event: Event) -> Event:
    failure = event.failure if isinstance(event, ScriptFacts) else None
    if failure is None or failure.error_class != "ImportError":
        return event
    if failure.message.startswith("cannot import name"):  # Python's own words: it is one
        return event
    interrupt = replace(failure, error_class="KeyboardInterrupt", bases=BASES, message="")
    return replace(event, failure=interrupt)


def _diagnose_caught(
    facts: ScriptFacts | None, sources: Mapping[str, str], causes: Mapping[str, Cause]
) -> Iterator[TestDiagnosis]:
    caught: tuple[CaughtFailure, ...] = facts.caught if facts is not None else ()
    for item in caught[:MOST_TESTS]:
        found = diagnose(item.failure, sources, causes, changed=facts.changed if facts else ())
        yield TestDiagnosis(item.test, item.failure, found)


def _status(
    outcome: Outcome,
    failure: Failure | None,
    findings: tuple[Diagnosis, ...],
    exit_status: int | None,
) -> ScriptStatus:
    if outcome.end == "timed_out":
        return "timed_out"
    if failure is not None:
        return "raised"
    if not pick(outcome, ScriptFacts) or (exit_status or 0) < 0:
        return "crashed"
    if exit_status:
        return "exited"
    return "found" if findings else "clean"


def program_file(program: Program, facts: ScriptFacts | None) -> Path:
    """Return the program's file; the worker has found that of a module."""
    if program.kind == "module" and facts is not None and facts.files:
        return Path(facts.files[0])
    return program.file


def read_sources(program: Program, facts: ScriptFacts | None) -> dict[str, str]:
    """Return the texts of the program and of the learner's other files that it imported.

    Those that were edited meanwhile are left out.
    """
    sources = {} if program.kind == "module" else {str(program.file): program.source}
    failures = [facts.failure, *(item.failure for item in facts.caught)] if facts else []
    framed = (frame.file for failure in failures if failure for frame in failure.frames)
    names = dict.fromkeys((*(facts.files if facts else ()), *framed))
    known = {*sources, *(facts.changed if facts else ())}
    return sources | workspace.read_texts(name for name in names if name not in known)
