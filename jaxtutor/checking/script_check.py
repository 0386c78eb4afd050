"""Diagnoses a learner's own program: runs it, and names what it raised or silently did wrong."""

from __future__ import annotations

import math
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from jaxtutor.checking import programs
from jaxtutor.checking.early_findings import EarlyFindings, Report
from jaxtutor.checking.lesson_check import refuse_environment
from jaxtutor.checking.programs import Program
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.facts import CaughtFailure, Outcome, ScriptFacts
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.requests import ScriptRequest
from jaxtutor.core.diagnosis.diagnose import diagnose
from jaxtutor.core.diagnosis.endless import find_endless
from jaxtutor.core.diagnosis.findings import find
from jaxtutor.core.diagnosis.pages import Cause
from jaxtutor.core.judging.outcomes import observations, pick
from jaxtutor.core.judging.syntax import diagnose_syntax, find_syntax_error
from jaxtutor.errors import TutorError
from jaxtutor.processes.runner import Cancel, Runner
from jaxtutor.processes.spawn import Kind, for_program
from jaxtutor.storage import workspace
from jaxtutor.system.packages import installed_version

ScriptStatus = Literal["clean", "raised", "found", "exited", "timed_out", "crashed"]

BY_FORCE = 3
"""The number of Ctrl-C presses after which a script that ignores them is killed."""

INTERRUPTS = ("KeyboardInterrupt", "ImportError")
"""How a pressed Ctrl-C ends a program: a C module that is being imported may swallow it."""

MOST_TESTS = 4
"""Failing tests that are diagnosed one by one; many fail for one reason."""


@dataclass(frozen=True)
class TestDiagnosis:
    """A failing test, or the exception that a program handled before it ended itself.

    `test` is empty for the latter. `diagnosis` is None if nothing of it is in the learner's files.
    """

    test: str
    failure: Failure
    diagnosis: Diagnosis | None


@dataclass(frozen=True)
class ScriptDiagnosis:
    """The result of running a program.

    `exit_status` is its own, None if it has none. `end_detail` explains why it was cut short;
    `interrupted` means that Ctrl-C ended it. `caught` are
    the exceptions behind the exit status; the first is also `failure`. `facts` are those of the
    run, if what the program printed was captured.
    """

    status: ScriptStatus
    program: Program
    file: Path
    device: str
    jax_version: str
    seconds: float
    failure: Failure | None = None
    diagnosis: Diagnosis | None = None
    findings: tuple[Diagnosis, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    stdout: str = ""
    end_detail: str = ""
    interrupted: bool = False
    exit_status: int | None = None
    traceback: str = ""
    caught: tuple[TestDiagnosis, ...] = ()
    facts: ScriptFacts | None = None

    def with_diagnosis(self, diagnosis: Diagnosis) -> ScriptDiagnosis:
        """Return a copy with another diagnosis."""
        return replace(self, diagnosis=diagnosis)

    def with_findings(self, findings: tuple[Diagnosis, ...]) -> ScriptDiagnosis:
        """Return a copy with other findings."""
        return replace(self, findings=findings)


def diagnose_script(
    runner: Runner,
    causes: Mapping[str, Cause],
    file: Path,
    arguments: tuple[str, ...] = (),
    *,
    device: str | None = None,
    seconds: float = math.inf,
    captured: bool = False,
) -> ScriptDiagnosis:
    """Diagnose the script at a path, as `diagnose_program` does."""
    program = programs.script(file, arguments)
    return diagnose_program(
        runner, causes, program, device=device, seconds=seconds, captured=captured
    )


def diagnose_program(
    runner: Runner,
    causes: Mapping[str, Cause],
    program: Program,
    *,
    device: str | None = None,
    seconds: float = math.inf,
    captured: bool = False,
    report: Report | None = None,
) -> ScriptDiagnosis:
    """Run a program, its output shown or captured, and name what it raised or silently did.

    `report` is called with the findings in a program that runs for long, as they are made. Raises
    TutorError if the environment is broken, and KeyboardInterrupt if Ctrl-C ended the program
    before anything was known about it.
    """
    file, source = str(program.file), program.source
    broken = find_syntax_error(source, file)
    if broken:
        found = diagnose_syntax(broken, source)
        return ScriptDiagnosis(
            "raised",
            program,
            program.file,
            "",
            installed_version("jax"),
            0.0,
            broken,
            found,
            (),
            {file: source},
            exit_status=1,
        )
    request = program.request()
    kind = for_program(device, not captured)
    early = EarlyFindings(program, causes, report) if report is not None else None
    outcome, pressed = _run(runner, request, kind, seconds, early)
    refuse_environment(outcome)
    diagnosed = describe(outcome, program, causes)
    if captured:
        diagnosed = replace(diagnosed, facts=next(iter(pick(outcome, ScriptFacts)), None))
    if pressed and diagnosed.failure is None and outcome.end in ("cancelled", "crashed"):
        if not captured and not diagnosed.findings:
            raise KeyboardInterrupt
        return replace(diagnosed, interrupted=True, end_detail="it was interrupted")
    raised = diagnosed.failure.error_class if diagnosed.failure is not None else ""
    return replace(diagnosed, interrupted=pressed and raised in INTERRUPTS)


def describe(outcome: Outcome, program: Program, causes: Mapping[str, Cause]) -> ScriptDiagnosis:
    """Name what a program raised or silently did, from the facts of its run."""
    facts = next(iter(pick(outcome, ScriptFacts)), None)
    file = program_file(program, facts)
    sources = read_sources(program, facts)
    failure = facts.failure if facts else None
    found = diagnose(failure, sources, causes) if failure else None
    caught = tuple(_diagnose_caught(facts, sources, causes))
    if failure is None and caught:
        failure, found = caught[0].failure, caught[0].diagnosis
    is_stopped = failure is not None and failure.error_class == "KeyboardInterrupt"
    is_complete = failure is None or is_stopped or bool(caught)
    findings = find(observations(outcome), sources, causes) if facts and is_complete else ()
    if outcome.end != "finished" and failure is None:  # what was known until then
        findings = findings or find(observations(outcome), sources, causes)
    if outcome.end == "timed_out":
        findings = (*find_endless(sources, causes), *findings)  # first why it did not end
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
        diagnosis=found,
        findings=findings,
        sources=sources,
        stdout="".join(text for _, text in outcome.printed),
        end_detail=outcome.end_detail,
        exit_status=status,
        traceback=facts.traceback if facts else "",
        caught=caught,
    )


def _diagnose_caught(
    facts: ScriptFacts | None, sources: Mapping[str, str], causes: Mapping[str, Cause]
) -> Iterator[TestDiagnosis]:
    caught: tuple[CaughtFailure, ...] = facts.caught if facts is not None else ()
    for item in caught[:MOST_TESTS]:
        yield TestDiagnosis(item.test, item.failure, diagnose(item.failure, sources, causes))


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
    """Return the texts of the program and of the learner's other files that it imported."""
    sources = {} if program.kind == "module" else {str(program.file): program.source}
    failures = [facts.failure, *(item.failure for item in facts.caught)] if facts else []
    framed = (frame.file for failure in failures if failure for frame in failure.frames)
    for name in (*(facts.files if facts else ()), *framed):
        if name not in sources:
            with suppress(TutorError):
                sources[name] = workspace.read_program(Path(name)).text
    return sources


def _run(
    runner: Runner,
    request: ScriptRequest,
    kind: Kind,
    seconds: float,
    early: EarlyFindings | None,
) -> tuple[Outcome, bool]:
    """Run a script; also return whether Ctrl-C was pressed.

    A captured script runs in a session of its own, which Ctrl-C does not reach.
    """
    listen = early.listen if early is not None else None
    if threading.current_thread() is not threading.main_thread():  # it gets no signals
        with early or nullcontext():
            return runner.run(request, kind, seconds, None, listen), False
    restored = _streams_restored() if kind.shares_terminal else nullcontext()
    interrupts = _Interrupts(Cancel(), BY_FORCE)
    if not kind.shares_terminal:
        interrupts = _Interrupts(Cancel(gently=True), 1)
    with restored, _counted(interrupts), early or nullcontext():
        try:
            outcome = runner.run(request, kind, seconds, interrupts.cancel, listen)
        except TutorError:
            if interrupts.presses:  # Ctrl-C ended the worker before jax started
                raise KeyboardInterrupt from None
            raise
    return outcome, interrupts.presses > 0


@contextmanager
def _streams_restored() -> Iterator[None]:
    """Restore the terminal modes and blocking flags: a killed script cannot do so itself."""
    blocking = {number: blocks for number in range(3) if (blocks := _blocks(number)) is not None}
    try:
        import termios

        modes = termios.tcgetattr(0) if os.isatty(0) else None
    except (ImportError, OSError):
        modes = None
    try:
        yield
    finally:
        for number, blocks in blocking.items():
            os.set_blocking(number, blocks)
        if modes is not None and os.tcgetpgrp(0) == os.getpgrp():  # else another job has it
            with suppress(termios.error):
                termios.tcsetattr(0, termios.TCSADRAIN, modes)


def _blocks(number: int) -> bool | None:
    try:
        return os.get_blocking(number)
    except OSError:  # the descriptor is closed
        return None


@dataclass
class _Interrupts:
    """Counts the Ctrl-C presses while a script runs, and cancels it after `most`."""

    cancel: Cancel
    most: int
    presses: int = 0

    def count(self, *_: object) -> None:
        """Count a press; repeated ones cancel, as compiled code cannot handle the signal itself."""
        self.presses += 1
        if self.presses == self.most:
            self.cancel()


@contextmanager
def _counted(interrupts: _Interrupts) -> Iterator[None]:
    """Leave Ctrl-C to the script, which may share our terminal, and count the presses."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:  # a shell ignores SIGINT for background jobs (POSIX)
        signal.signal(signal.SIGINT, interrupts.count)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        interrupts.cancel.close()
