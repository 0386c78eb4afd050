"""Runs the learner's fix of a drill, and compares what it prints with the expected answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.core.data.drills import FixStatus, is_compiled
from jaxtutor.core.judging.equivalence import same_text
from jaxtutor.scripts import programs
from jaxtutor.scripts.script_check import diagnose_program
from jaxtutor.scripts.script_diagnosis import ScriptDiagnosis

if TYPE_CHECKING:
    from jaxtutor.app import App
    from jaxtutor.content.cause_pages import Library
    from jaxtutor.core.data.diagnoses import Diagnosis
    from jaxtutor.core.data.drills import Drill

_WEAK = re.compile(r", weak_type=True\b")
"""A property of how a number was written, which any right fix may change."""
FIX_SECONDS = 30.0
"""Seconds. The programs of drills take about one, most of it to import jax."""


@dataclass(frozen=True)
class FixResult:
    """The result of a fix. `run` is None if it was not run.

    `wrong`: it prints another answer. `mistaken`: it prints the expected answer and makes the
    mistake of the drill, or another one. `uncompiled`: it no longer uses `jax.jit`, under which the
    mistake is one. `failed`: it raised, or ended before its end.
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
    run = _run(app, program)
    return FixResult(_judge(app.library, drill, run), run)


def diagnose_broken(app: App, drill: Drill) -> Diagnosis | None:
    """Run the broken program, and return the diagnosis of its mistake; None if it is not found."""
    file = app.workspace.drill_file(drill.name)
    run = _run(app, programs.Program("script", file.name, file, drill.broken))
    found = (run.diagnosis, *run.findings)
    return next((it for it in found if it is not None and it.cause == drill.cause), None)


def _run(app: App, program: programs.Program) -> ScriptDiagnosis:
    with app.waiting("Running the program"):
        return diagnose_program(
            app.checker.runner,
            app.library,
            program,
            device=app.options.device,
            seconds=FIX_SECONDS * float(app.settings.value("limits.time")),
            captured=True,
        )


def _judge(library: Library, drill: Drill, run: ScriptDiagnosis) -> FixStatus:
    if run.interrupted:
        raise KeyboardInterrupt
    if run.status == "timed_out":
        return "timed_out"
    if run.status not in ("clean", "found"):
        return "failed"
    if not same_text(_WEAK.sub("", drill.expected), _WEAK.sub("", run.stdout)):
        return "wrong"
    # The page's fix has no finding. Many programs print only a shape, which another mistake, such
    # as a key that is used twice, does not change.
    causes = {found.cause for found in run.findings if found.cause}
    if any(cause == drill.cause or not library[cause].costs for cause in causes):
        return "mistaken"
    if not is_compiled(run.program.source) and all(map(is_compiled, (drill.broken, drill.fixed))):
        return "uncompiled"
    return "right"
