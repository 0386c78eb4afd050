"""Diagnoses a learner's own program: runs it, and names what it raised or silently did wrong."""

from __future__ import annotations

import math
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from jaxtutor.checking import programs
from jaxtutor.checking.early_findings import EarlyFindings, Report
from jaxtutor.checking.environment import refuse_environment
from jaxtutor.checking.programs import Program
from jaxtutor.checking.script_diagnosis import ScriptDiagnosis
from jaxtutor.core.data.facts import Outcome, ScriptFacts
from jaxtutor.core.data.requests import ScriptRequest
from jaxtutor.core.diagnosis.pages import Cause
from jaxtutor.core.judging.outcomes import pick
from jaxtutor.core.judging.syntax import diagnose_syntax, find_syntax_error
from jaxtutor.errors import TutorError
from jaxtutor.processes.runner import Cancel, Runner
from jaxtutor.processes.spawn import Kind, for_program
from jaxtutor.system.packages import installed_version

BY_FORCE = 3
"""The number of Ctrl-C presses after which a script that ignores them is killed."""

INTERRUPTS = ("KeyboardInterrupt", "ImportError")
"""How a pressed Ctrl-C ends a program: a C module that is being imported may swallow it."""


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
    from jaxtutor.checking.script_facts import describe  # with 250 modules that recognise causes

    diagnosed = describe(outcome, program, causes)
    if captured:
        diagnosed = replace(diagnosed, facts=next(iter(pick(outcome, ScriptFacts)), None))
    if pressed and diagnosed.failure is None and outcome.end in ("cancelled", "crashed"):
        if not captured and not diagnosed.findings:
            raise KeyboardInterrupt
        return replace(diagnosed, interrupted=True, end_detail="it was interrupted")
    raised = diagnosed.failure.error_class if diagnosed.failure is not None else ""
    return replace(diagnosed, interrupted=pressed and raised in INTERRUPTS)


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
