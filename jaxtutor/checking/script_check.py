"""Diagnoses a learner's own script: runs it, and names what it raised or silently did wrong."""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from jaxtutor.checking.lesson_check import jax_version, refuse_device
from jaxtutor.core.data.model import Diagnosis, Failure, Outcome, ScriptFacts, ScriptRequest
from jaxtutor.core.diagnosis.diagnose import diagnose
from jaxtutor.core.diagnosis.endless import find_endless
from jaxtutor.core.diagnosis.findings import find
from jaxtutor.core.diagnosis.pages import Cause
from jaxtutor.core.judging.judge import observations, pick
from jaxtutor.core.judging.syntax import diagnose_syntax, find_syntax_error
from jaxtutor.errors import TutorError, UsageError
from jaxtutor.processes.runner import Cancel, Runner
from jaxtutor.processes.spawn import Kind
from jaxtutor.storage import workspace

ScriptStatus = Literal["clean", "raised", "found", "timed_out", "crashed"]

BY_FORCE = 3
"""The number of Ctrl-C presses after which a script that ignores them is killed."""


@dataclass(frozen=True)
class ScriptDiagnosis:
    """The result of running a script.

    `end_detail` explains why it was cut short; `interrupted` means that it raised
    KeyboardInterrupt because Ctrl-C was pressed.
    """

    status: ScriptStatus
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
    """Run the script, its output shown or captured, and name what it raised or silently did.

    Raises TutorError if the file is not a program or the environment is broken, and
    KeyboardInterrupt if Ctrl-C ended the script before it could report its position.
    """
    if not file.exists():
        raise UsageError(f"{file} does not exist.", "Give the path of a script.")
    source = workspace.read(file).text
    broken = find_syntax_error(source, str(file))
    if broken:
        found = diagnose_syntax(broken, source)
        return ScriptDiagnosis(
            "raised", file, "", jax_version(), 0.0, broken, found, (), {str(file): source}
        )
    request = ScriptRequest(str(file), source, arguments)
    kind = Kind(device, memory=0, shares_terminal=not captured)
    if captured:  # it runs in its own session, which Ctrl-C does not reach
        outcome, pressed = runner.run(request, kind, seconds), False
    else:
        outcome, pressed = _run_at_terminal(runner, request, kind, seconds)
    refuse_device(outcome)
    diagnosed = _describe(outcome, file, source, causes)
    if pressed and diagnosed.failure is None and outcome.end in ("cancelled", "crashed"):
        raise KeyboardInterrupt
    was_reported = (
        diagnosed.failure is not None and diagnosed.failure.error_class == "KeyboardInterrupt"
    )
    return replace(diagnosed, interrupted=pressed and was_reported)


def _describe(
    outcome: Outcome, file: Path, source: str, causes: Mapping[str, Cause]
) -> ScriptDiagnosis:
    facts = next(iter(pick(outcome, ScriptFacts)), None)
    sources = {str(file): source, **dict(_read_others(facts, file))}
    failure = facts.failure if facts else None
    found = diagnose(failure, sources, causes) if failure else None
    findings = () if failure or facts is None else find(observations(outcome), sources, causes)
    if outcome.end == "timed_out":
        findings = find_endless(sources, causes)
    return ScriptDiagnosis(
        status=_status(outcome, failure, findings),
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
    )


def _status(
    outcome: Outcome, failure: Failure | None, findings: tuple[Diagnosis, ...]
) -> ScriptStatus:
    if failure is not None:
        return "raised"
    if outcome.end == "timed_out":
        return "timed_out"
    if not pick(outcome, ScriptFacts):
        return "crashed"
    return "found" if findings else "clean"


def _read_others(facts: ScriptFacts | None, file: Path) -> Iterator[tuple[str, str]]:
    """Yield the other files of the learner's that the script imported."""
    for name in facts.files if facts else ():
        if name != str(file):
            with suppress(TutorError):
                yield name, workspace.read(Path(name)).text


def _run_at_terminal(
    runner: Runner, request: ScriptRequest, kind: Kind, seconds: float
) -> tuple[Outcome, bool]:
    """Run a script that shares our terminal; also return whether Ctrl-C was pressed."""
    with _streams_restored(), _interrupts_counted() as interrupts:
        try:
            outcome = runner.run(request, kind, seconds, interrupts.cancel)
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
    """Counts the Ctrl-C presses while a script has the terminal."""

    cancel: Cancel
    presses: int = 0

    def count(self, *_: object) -> None:
        """Count a press; repeated ones cancel, as compiled code cannot handle the signal itself."""
        self.presses += 1
        if self.presses == BY_FORCE:
            self.cancel()


@contextmanager
def _interrupts_counted() -> Iterator[_Interrupts]:
    """Leave Ctrl-C to the script, which shares our terminal, and count the presses."""
    interrupts = _Interrupts(Cancel())
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:  # a shell ignores SIGINT for background jobs (POSIX)
        signal.signal(signal.SIGINT, interrupts.count)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, before)
        interrupts.cancel.close()
