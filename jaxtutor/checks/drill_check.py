"""Runs the learner's fix of a drill, and compares what it prints with the expected answer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from jaxtutor.core.judging.equivalence import same_text
from jaxtutor.scripts import programs
from jaxtutor.scripts.script_check import diagnose_program
from jaxtutor.scripts.script_diagnosis import ScriptDiagnosis

if TYPE_CHECKING:
    from jaxtutor.app import App
    from jaxtutor.core.data.diagnoses import Diagnosis
    from jaxtutor.core.data.drills import Drill

FixStatus = Literal["right", "empty", "unchanged", "wrong", "mistaken", "failed", "timed_out"]

FIX_SECONDS = 30.0
"""Seconds. The programs of drills take about one, most of it to import jax."""


@dataclass(frozen=True)
class FixResult:
    """The result of a fix. `run` is None if it was not run.

    `wrong`: it prints another answer. `mistaken`: it prints the expected answer and still makes the
    mistake of the drill. `failed`: it raised, or ended before its end.
    """

    status: FixStatus
    run: ScriptDiagnosis | None = None

    @property
    def diagnosis(self) -> Diagnosis | None:
        """What is wrong with the fix, as far as it is known."""
        if self.run is None or self.status == "right":
            return None
        return self.run.diagnosis or next(iter(self.run.findings), None)


def run_fix(app: App, drill: Drill, file: Path) -> FixResult:
    """Run a fixed file. Raises TutorError if it cannot be read.

    It does not matter how the program was fixed, or whether it was written again.
    """
    program = programs.script(file)
    if not program.source.strip():
        return FixResult("empty")
    if program.source.split() == drill.broken.split():
        return FixResult("unchanged")
    with app.waiting("Running the program"):
        run = diagnose_program(
            app.checker.runner,
            app.library,
            program,
            device=app.options.device,
            seconds=FIX_SECONDS * float(app.settings.value("limits.time")),
            captured=True,
        )
    return FixResult(_judge(drill, run), run)


def _judge(drill: Drill, run: ScriptDiagnosis) -> FixStatus:
    if run.interrupted:
        raise KeyboardInterrupt
    if run.status == "timed_out":
        return "timed_out"
    if run.status not in ("clean", "found"):
        return "failed"
    if not same_text(drill.expected, run.stdout):
        return "wrong"
    return "mistaken" if drill.cause in [found.cause for found in run.findings] else "right"
