"""Diagnoses a learner's own program: runs it, and names what it raised or silently did wrong."""

from __future__ import annotations

import math
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from jaxtutor.core.data.facts import REPORT, Event, Machine, Outcome, ScriptFacts, Started
from jaxtutor.core.data.requests import ScriptRequest
from jaxtutor.core.diagnosis.engine.pages import Cause
from jaxtutor.core.judging.outcomes import pick
from jaxtutor.core.judging.syntax import diagnose_syntax, find_syntax_error
from jaxtutor.core.linting.source_lint import Allowances, NothingAllowed
from jaxtutor.errors import TutorError
from jaxtutor.processes.environment import refuse_environment
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.spawn import Kind, for_program
from jaxtutor.processes.watched_run import Cancel, Listen
from jaxtutor.scripts import programs
from jaxtutor.scripts.early_findings import EarlyFindings, Report
from jaxtutor.scripts.programs import Program
from jaxtutor.scripts.script_diagnosis import ScriptDiagnosis
from jaxtutor.system.packages import installed_version

Answer = Callable[[ScriptDiagnosis], None]

BY_FORCE = 3
"""The number of Ctrl-C presses after which a script that ignores them is killed."""


def diagnose_script(
    runner: Runner,
    causes: Mapping[str, Cause],
    file: Path,
    arguments: tuple[str, ...] = (),
    *,
    device: str | None = None,
    seconds: float = math.inf,
    captured: bool = False,
    allowances: Allowances | None = None,
) -> ScriptDiagnosis:
    """Diagnose the script at a path, as `diagnose_program` does."""
    program = programs.script(file, arguments)
    return diagnose_program(
        runner,
        causes,
        program,
        device=device,
        seconds=seconds,
        captured=captured,
        allowances=allowances,
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
    answer: Answer | None = None,
    allowances: Allowances | None = None,
    types: bool = False,
) -> ScriptDiagnosis:
    """Run a program, its output shown or captured, and name what it raised or silently did.

    `report` is called with the findings in a program that runs for long, as they are made, and
    `answer` with the diagnosis of an exception, as soon as that ended the program: its own exit
    handlers and JAX's come after it, as after Python's traceback. Raises TutorError if the
    environment is broken, and KeyboardInterrupt if Ctrl-C ended the program before anything was
    known about it. What `allowances` allow is not reported; without
    them, everything is. With `types`, the facts of a captured run have the types of arrays.
    """
    allowed = allowances or NothingAllowed()
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
    request = program.request(types=types)
    kind = for_program(device, not captured)
    early = EarlyFindings(program, causes, report, allowed) if report is not None else nullcontext()
    streams = _Streams() if kind.shares_terminal else nullcontext()
    interrupts = _Interrupts(1 if captured else BY_FORCE)
    events: list[Event] = []

    def listen(event: Event) -> None:
        events.append(event)
        if isinstance(event, Started) and event.stage == REPORT:
            interrupts.meant_for_program = interrupts.presses
        if isinstance(early, EarlyFindings):
            early.listen(event)
        if answer is not None and _is_uncaught(event):
            if isinstance(streams, _Streams):
                streams.restore()
            answer(_describe_so_far(events, program, causes, allowed))

    with early, streams:
        outcome = _run(runner, request, kind, seconds, listen, interrupts)
    refuse_environment(outcome)
    from jaxtutor.scripts.script_facts import as_interrupted, describe  # not before it runs

    if interrupts.presses:
        outcome = as_interrupted(outcome)
    diagnosed = describe(outcome, program, causes, allowed)
    if captured:
        diagnosed = replace(diagnosed, facts=next(iter(pick(outcome, ScriptFacts)), None))
    was_killed = outcome.end in ("cancelled", "crashed") or outcome.exit_status == -signal.SIGINT
    if interrupts.presses and diagnosed.failure is None and was_killed:
        if not captured and not diagnosed.findings:
            raise KeyboardInterrupt
        return replace(diagnosed, interrupted=True, end_detail="it was interrupted")
    raised = diagnosed.failure.error_class if diagnosed.failure is not None else ""
    ended_by_one = interrupts.presses > 0 and raised == "KeyboardInterrupt"
    return replace(diagnosed, interrupted=ended_by_one or interrupts.are_meant_for_us)


def _is_uncaught(event: Event) -> bool:
    """Return whether an event has an exception that ended the program, and Ctrl-C cannot have."""
    failure = event.failure if isinstance(event, ScriptFacts) else None
    return failure is not None and failure.error_class not in ("KeyboardInterrupt", "ImportError")


def _describe_so_far(
    events: Sequence[Event],
    program: Program,
    causes: Mapping[str, Cause],
    allowances: Allowances,
) -> ScriptDiagnosis:
    from jaxtutor.scripts.script_facts import describe  # not before the program runs

    facts = tuple(event for event in events if not isinstance(event, Machine))
    return describe(Outcome("finished", 0.0, events=facts), program, causes, allowances)


def _run(
    runner: Runner,
    request: ScriptRequest,
    kind: Kind,
    seconds: float,
    listen: Listen,
    interrupts: _Interrupts,
) -> Outcome:
    """Run a script, and count the Ctrl-C presses meanwhile.

    A captured script runs in a session of its own, which Ctrl-C does not reach.
    """
    if threading.current_thread() is not threading.main_thread():  # it gets no signals
        return runner.run(request, kind, seconds, None, listen)
    cancel = Cancel(gently=not kind.shares_terminal)
    with closing(cancel), _counted(interrupts, cancel):
        try:
            return runner.run(request, kind, seconds, cancel, listen)
        except TutorError:
            if interrupts.presses:  # Ctrl-C ended the worker before jax started
                raise KeyboardInterrupt from None
            raise


class _Streams:
    """The terminal modes and blocking flags, which a killed script cannot restore itself."""

    def __init__(self) -> None:
        numbers = {number: _blocks(number) for number in range(3)}
        self._blocking = {number: it for number, it in numbers.items() if it is not None}
        try:
            import termios

            self._modes = termios.tcgetattr(0) if os.isatty(0) else None
        except (ImportError, OSError):
            self._modes = None

    def restore(self) -> None:
        """Give the streams back as they were."""
        for number, blocks in self._blocking.items():
            os.set_blocking(number, blocks)
        if self._modes is not None and os.tcgetpgrp(0) == os.getpgrp():  # else another job has it
            import termios

            with suppress(termios.error):
                termios.tcsetattr(0, termios.TCSADRAIN, self._modes)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self.restore()


def _blocks(number: int) -> bool | None:
    try:
        return os.get_blocking(number)
    except OSError:  # the descriptor is closed
        return None


@dataclass
class _Interrupts:
    """The Ctrl-C presses while a script runs, which is cancelled after `most`.

    Those until the program was over were for the program.
    """

    most: int
    presses: int = 0
    meant_for_program: int | None = None

    @property
    def are_meant_for_us(self) -> bool:
        """Whether one was pressed when the program was over, to end the search for a fix."""
        return self.meant_for_program is not None and self.presses > self.meant_for_program


@contextmanager
def _counted(interrupts: _Interrupts, cancel: Cancel) -> Iterator[None]:
    """Leave Ctrl-C to the script, which may share our terminal, and count the presses.

    Repeated ones cancel, as compiled code cannot handle the signal itself.
    """

    def count(*_: object) -> None:
        interrupts.presses += 1
        if interrupts.presses == interrupts.most:
            cancel()

    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:  # a shell ignores SIGINT for background jobs (POSIX)
        signal.signal(signal.SIGINT, count)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
