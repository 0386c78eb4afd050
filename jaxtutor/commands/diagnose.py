"""Implements `diagnose`."""

from __future__ import annotations

import math
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from jaxtutor.app import App
from jaxtutor.core.data.positions import Span
from jaxtutor.core.data.settings import DEFAULT, FILE
from jaxtutor.core.diagnosis.engine.fallback_summaries import excerpt
from jaxtutor.core.diagnosis.engine.source import read_module
from jaxtutor.core.diagnosis.engine.unrun_tests import has_unrun_tests
from jaxtutor.core.reporting.cells import in_cell
from jaxtutor.core.reporting.changes import change_elsewhere
from jaxtutor.core.reporting.coverage import coverage_line
from jaxtutor.core.reporting.lines import line_text
from jaxtutor.display.prose import relative
from jaxtutor.display.theme import visible
from jaxtutor.errors import TutorError, UsageError
from jaxtutor.linting.allowing import find_allowances
from jaxtutor.linting.project_files import Projects
from jaxtutor.scripts.prepared_trials import prepared_trials
from jaxtutor.scripts.script_check import diagnose_program
from jaxtutor.scripts.script_diagnosis import ScriptDiagnosis

if TYPE_CHECKING:
    from jaxtutor.core.data.diagnoses import Diagnosis, Fix
    from jaxtutor.core.data.failures import Failure
    from jaxtutor.core.linting.project import ProjectSettings
    from jaxtutor.core.linting.source_lint import Allowances
    from jaxtutor.core.reporting.outputs.diagnosed import DiagnoseOutput
    from jaxtutor.processes.runner import Runner
    from jaxtutor.scripts.programs import Program

CLEAN, NOT_CLEAN, INTERRUPTED = 0, 1, 130


@dataclass(frozen=True)
class DiagnoseOptions:
    """How `diagnose` runs a program and what it prints.

    `seconds` is a time limit, None for none. `apply` writes the first fix into the file, `once`
    runs the program a single time, and `traceback` also prints the whole traceback.
    """

    seconds: float | None = None
    apply: bool = False
    once: bool = False
    traceback: bool = False


def diagnose(app: App, program: Program, chosen: DiagnoseOptions) -> int:
    """Run a learner's program and report what it raised or silently does wrong.

    Fixes are tried after the diagnosis is printed.
    """
    if program.notebook is not None and program.notebook.skipped:
        count = len(program.notebook.skipped)
        lines = "1 line that is" if count == 1 else f"{count} lines that are"
        app.warn(f"{lines} not Python will not run, such as {program.notebook.skipped[0]}")
    program = replace(program, cache=str(app.workspace.operations))
    projects = Projects(app.library.slugs)
    project = projects.find(program.file.absolute())
    seconds = _limit(app, project.settings) if chosen.seconds is None else chosen.seconds
    chosen = replace(chosen, seconds=seconds)
    app.options.device = app.options.device or project.settings.chosen_device(app.environ)
    allowances = find_allowances(lambda: project, projects, app.library.slugs)
    app.renderer.whole_messages = True  # sizes, names and keys that the cause may not repeat
    if chosen.once:
        app.library.read_ahead()
        run = _run_and_show(app, program, chosen, allowances)
    else:
        with prepared_trials(app.library, app.options.device) as trials:
            run = _run_and_show(app, program, chosen, allowances)
            if not run.interrupted:
                run = _try_fixes(app, run, trials)
    if run.interrupted:
        if app.options.json:
            app.print_json(report(run))
        return INTERRUPTED
    if app.options.json:
        app.print_json(report(run))
    elif chosen.once:
        _show(app, _draw_untried(run))
    else:
        _show(app, draw_fixes(app, run))
    if chosen.apply:
        apply_fix(app, run)
    return CLEAN if run.status == "clean" else NOT_CLEAN


def _run_and_show(
    app: App, program: Program, chosen: DiagnoseOptions, allowances: Allowances
) -> ScriptDiagnosis:
    """Run the program; print the diagnosis, if it is for a person."""
    answers: list[ScriptDiagnosis] = []

    def answer(run: ScriptDiagnosis) -> None:
        answers.append(run)
        with app.console:  # in one piece: the program's exit handlers may print meanwhile
            _show(app, draw(app, run, chosen.traceback))

    run = diagnose_program(
        app.runner,
        app.library,
        program,
        device=app.options.device,
        seconds=math.inf if chosen.seconds is None else chosen.seconds,
        captured=app.options.json,
        report=None if app.options.json else lambda found: _announce(app, program, found),
        answer=None if app.options.json else answer,
        allowances=allowances,
    )
    for file, faults in run.comment_faults.items():
        for fault in faults:
            app.warn(f"{relative(Path(file))}:{fault.line}: {fault.says}.", fault.remedy)
    if not app.options.json:
        if not answers:
            answer(run)
        _remember(app, run)
    return run


def _remember(app: App, run: ScriptDiagnosis) -> None:
    """Record the names of the causes, for `drill`. Nothing here keeps a program from its diagnosis.

    Reports for other tools are not recorded: they are not of what one person wrote.
    """
    found = filter(None, (run.diagnosis, *run.findings))
    causes = sorted({it.cause for it in found if it.cause is not None})
    if causes and app.settings.value("remember") == "causes":
        with suppress(TutorError):
            app.store.record_met_causes(causes)


def _try_fixes(app: App, run: ScriptDiagnosis, runner: Runner) -> ScriptDiagnosis:
    """Try fixes for what was found; Ctrl-C ends the search, and the diagnosis stays."""
    from jaxtutor.scripts.fix_trials import fix_script

    try:
        with app.waiting("Looking for a fix that works in your program"):
            return fix_script(run, runner, app.library, app.options.device)
    except KeyboardInterrupt:
        return replace(run, interrupted=True)


def _announce(app: App, program: Program, found: Diagnosis) -> None:
    """Print one line about a finding while the program goes on."""
    where = f"{relative(Path(found.file))}:{found.span.line}" if found.file and found.span else ""
    if program.notebook is not None and found.file == str(program.file):
        placed, _, cell = in_cell(found, program.notebook)
        where = f"cell {cell}, line {placed.span.line}" if placed.span else where
    app.warn(f"{where}: {found.summary} ({found.cause})")


def report(run: ScriptDiagnosis) -> DiagnoseOutput:
    """Build what `--json` prints."""
    from jaxtutor.core.reporting.reports import script_report

    return script_report(
        file=str(run.file),
        status=run.status,
        device=run.device,
        jax_version=run.jax_version,
        seconds=run.seconds,
        diagnosis=run.diagnosis,
        findings=run.findings,
        looks=run.looks,
        coverage=run.coverage,
        stdout=run.stdout,
        end_detail=run.end_detail,
        exit_status=run.exit_status,
        traceback=run.traceback,
        tests=[(item.test, item.diagnosis) for item in run.caught if item.test],
        notebook=run.program.notebook,
        allowed=run.allowed,
    )


def _limit(app: App, project: ProjectSettings) -> float:
    """Return the time limit in seconds: of a variable, the project or the personal settings."""
    own = app.settings.chosen("limits.script")
    if project.seconds is not None and own.origin in (FILE, DEFAULT):
        return project.seconds
    return own.value if isinstance(own.value, float) else math.inf


def _show(app: App, parts: Iterator[RenderableType]) -> None:
    for part in parts:
        app.console.print(part, width=app.renderer.width)


def draw(app: App, run: ScriptDiagnosis, with_traceback: bool = False) -> Iterator[RenderableType]:
    """Draw the diagnosis of a program."""
    marks, name = app.marks, label(run)
    if run.status == "clean":
        yield Text(
            f"{marks.passed} {name}: ran without errors, and no mistake was found.", style="passed"
        )
        if run.coverage is not None:
            yield Text(coverage_line(run.coverage), style="quiet")
        yield from _allowed(run)
        if _left_out_tests(run):
            yield Text(f"It defines tests and did not run them: jaxtutor diagnose -- pytest {name}")
        yield from _changed(run)
        yield from _looks(run)
        return
    yield Text(f"{marks.failed} {name}: {_headline(run)}", style="failed")
    if run.status == "crashed" and run.end_detail:
        yield Text(visible(run.end_detail[:1].upper() + run.end_detail[1:]) + ".")
    if run.status == "exited":
        yield Text("No exception was seen: the program chose this status itself.")
    yield Text()
    if with_traceback and run.traceback:
        yield Text(visible(run.traceback), style="quiet", overflow="fold")
    if run.failure is not None:
        yield from _raised(app, run)
    for finding in run.findings:
        yield from _one(app, run, finding)
    yield from _allowed(run)
    yield from _changed(run)
    yield from _looks(run)


def _allowed(run: ScriptDiagnosis) -> Iterator[RenderableType]:
    """Say how many findings are allowed, and that no exception is."""
    if run.allowed:
        count = "1 finding is" if run.allowed == 1 else f"{run.allowed} findings are"
        yield Text(f"{count} allowed by the project's settings or comments.", style="quiet")
    for cause in run.raised_anyway:
        yield Text(f"{cause} is ignored here, but an exception is always reported.", style="quiet")


def _looks(run: ScriptDiagnosis) -> Iterator[RenderableType]:
    """Name what is worth a look, and what to do about it."""
    if run.looks:
        yield Text()
        yield Text("Worth a look", style="title")
    for found in run.looks:
        where = f"{relative(Path(found.file))}:{found.line}"
        said = visible(f"{where}: {found.summary} ({found.cause})")
        yield Padding(Text(said, style="quiet"), (0, 0, 0, 2))
        if found.advice:
            yield Padding(Text(visible(found.advice), style="quiet"), (0, 0, 0, 4))


def _changed(run: ScriptDiagnosis) -> Iterator[RenderableType]:
    """Name the files that were edited while the program ran, of which nothing is certain."""
    for file in run.changed:
        name = relative(Path(file))
        yield Text(f"{name} changed while the program ran: it was not diagnosed.", style="quiet")


def _left_out_tests(run: ScriptDiagnosis) -> bool:
    source = run.sources.get(str(run.file), "") if run.program.kind == "script" else ""
    module = read_module(str(run.file), source) if source else None
    return module is not None and has_unrun_tests(module)


def label(run: ScriptDiagnosis) -> str:
    """Return what the learner calls the program."""
    program = run.program
    if program.kind == "module":
        return f"-m {program.name}"
    return "the command" if program.kind == "command" else relative(run.file)


def _headline(run: ScriptDiagnosis) -> str:
    failed = [item.test for item in run.caught if item.test]
    if failed:
        count = "1 test failed" if len(failed) == 1 else f"{len(failed)} or more tests failed"
        return f"{count} (exit status {run.exit_status})"
    if run.failure is not None and run.status != "timed_out":
        ended = f" (exit status {run.exit_status})" if run.caught else ""
        return run.failure.error_class + ended
    if run.status == "exited":
        return f"ended with exit status {run.exit_status}"
    if run.status == "crashed" and (run.exit_status or 0) < 0 and not run.end_detail:
        return f"was ended by {_signal_name(-(run.exit_status or 0))}"
    if run.status == "found" and all(finding.costs for finding in run.findings):
        return _COSTLY
    return _ENDS.get(run.status, "")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


_COSTLY = "ran without errors, but takes more time or memory than it has to"
_ENDS = {
    "found": "ran without errors, but likely has a silent bug",
    "timed_out": "exceeded the time limit",
    "crashed": "the process ended before it could report",
}


def _raised(app: App, run: ScriptDiagnosis) -> Iterator[RenderableType]:
    assert run.failure is not None
    tests = [item for item in run.caught if item.test]
    if not tests:
        yield from _failure(app, run, run.failure, run.diagnosis)
    for item in tests:
        yield Text(f"Test {visible(item.test)}", style="title")
        yield from _failure(app, run, item.failure, item.diagnosis)


def _failure(
    app: App, run: ScriptDiagnosis, failure: Failure, diagnosis: Diagnosis | None
) -> Iterator[RenderableType]:
    if diagnosis is None:
        yield Text(visible(failure.message or failure.error_class), overflow="fold")
        return
    yield from _one(app, run, diagnosis)
    shown = excerpt(failure.message)  # without a cause, this is the summary
    is_whole = not shown.left and "\n".join(shown.lines) == diagnosis.summary
    if diagnosis.cause is None and not is_whole:
        yield from app.renderer.message(diagnosis)


def _one(app: App, run: ScriptDiagnosis, found: Diagnosis) -> Iterator[RenderableType]:
    notebook = run.program.notebook
    source = run.sources.get(found.file, "")
    if notebook is not None and found.file == str(run.file):
        found, source, number = in_cell(found, notebook)
        yield Text(f"In cell {number}", style="quiet")
    elif found.file != str(run.file):
        yield Text(f"In {relative(Path(found.file))}", style="quiet")
    yield from app.renderer.diagnosis(found, source)


def _draw_untried(run: ScriptDiagnosis) -> Iterator[RenderableType]:
    if run.diagnosis is not None or run.findings:
        yield Text("No fix was tried: with --once the program runs a single time.", style="quiet")


def draw_fixes(app: App, run: ScriptDiagnosis) -> Iterator[RenderableType]:
    """Draw the fixes that were tried, and what is known about each; one for several, once."""
    drawn = set[str]()
    for found in filter(None, (run.diagnosis, *run.findings)):
        if found.fix is not None and found.fix.diff not in drawn:
            drawn.add(found.fix.diff)
            yield Text(_fix_words(run, found, found.fix), style="title")
            yield from _draw_change(app, found)
            yield from app.renderer.diff_text(found.fix.diff)
            yield Text()


def _draw_change(app: App, found: Diagnosis) -> Iterator[RenderableType]:
    """Name the line that a fix changes, if it is not the one that the diagnosis shows."""
    change = change_elsewhere(found)
    if change is not None:
        span = Span(change.line, 0, change.line, 0)
        line = line_text(span, change.file, found.file)
        yield app.renderer.clipped_line(f"Change {visible(line)}:  {visible(change.text)}")


def _fix_words(run: ScriptDiagnosis, found: Diagnosis, fix: Fix) -> str:
    """Describe what was observed of a fix, and claim no more."""
    from jaxtutor.scripts.fix_trials import RIGHT_WITHOUT_JIT

    if fix.proof:
        change = (
            "Only numbers change: check that they"
            if fix.only_numbers_change
            else "Check that the results"
        )
        return f"Suggested fix, proved by a run with it: {fix.proof}. {change} are right"
    if fix.only_numbers_change:
        return (
            "Suggested fix: the mistake is gone with it, and in the output and the variables "
            "only numbers change; check that they are right"
        )
    if not fix.verified:
        return (
            "Suggested fix (unverified): the program runs with it; check that the result is right"
        )
    if not fix.compared:
        return "Verified fix: the script runs with it, and the call has no other meaning"
    if any(item.test for item in run.caught):
        return "Verified fix: the tests pass with it, as they do without jit"
    was_right = found.error_class is None and found.cause not in RIGHT_WITHOUT_JIT
    result = "as before" if was_right else "as without jit"
    return f"Verified fix: the script runs with it and gives the same result {result}"


def apply_fix(app: App, run: ScriptDiagnosis) -> None:
    """Write the first fix into its files, after saving each old text in a file beside it."""
    from jaxtutor.storage import workspace

    found = [item.fix for item in (run.diagnosis, *run.findings) if item and item.fix]
    if not found:
        raise UsageError("There is no fix to apply.", "The script was not changed.")
    if run.program.kind in ("command", "notebook") and str(run.file) in found[0].edits:
        raise UsageError("The fix cannot be written here.", "Edit the program by hand.")
    submissions = {}
    for name in found[0].edits:
        file = Path(name)
        present = submissions[file] = workspace.read_program(file)
        if present.text != run.sources[name]:
            raise UsageError(
                f"{file} changed while it was diagnosed.", "No fix was written. Run it again."
            )
        backup = _backup(file)
        if workspace.present(backup) not in (None, present.data):
            raise UsageError(
                f"{backup} already exists, with other contents.",
                "Move it. The script was not changed.",
            )
    for file, present in submissions.items():
        workspace.write_atomically(_backup(file), present.data)
        workspace.write_atomically(file, present.encode(found[0].edits[str(file)]))
        app.warn(f"The fix was written to {file}. The old text is in {_backup(file)}.")


def _backup(file: Path) -> Path:
    return file.with_name(file.name + ".orig")
