"""Runs a saved file in a worker and keeps what an editor shows of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from lsprotocol import types as lsp

from jaxtutor.app import App
from jaxtutor.checks.attempts import attempt
from jaxtutor.checks.submission_trials import fix_submission
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.data.diagnoses import Diagnosis, Fix
from jaxtutor.core.data.facts import LocalTypes, Outcome
from jaxtutor.core.data.requests import Request
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.errors import UsageError
from jaxtutor.language_server import convert
from jaxtutor.language_server.type_hints import failed_types
from jaxtutor.linting.allowing import find_allowances
from jaxtutor.linting.project_files import Project, Projects
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.spawn import Kind
from jaxtutor.processes.watched_run import Cancel, Listen
from jaxtutor.scripts import programs
from jaxtutor.scripts.fix_trials import fix_script
from jaxtutor.scripts.programs import Program
from jaxtutor.scripts.script_check import diagnose_program
from jaxtutor.storage import workspace

SCRIPT_SECONDS = 60.0
"""Time limit of a script in seconds. A longer training run is for `jaxtutor diagnose`."""


class Cancelled(Exception):
    """A later save, or the end of the client, has cancelled a run."""


class CancellableRunner(Runner):
    """Runs requests with another runner, and raises Cancelled once they are cancelled."""

    def __init__(self, runner: Runner, cancel: Cancel) -> None:
        super().__init__()
        self._runner = runner
        self._cancel = cancel

    def run(
        self,
        request: Request,
        kind: Kind,
        seconds: float = 10.0,
        cancel: Cancel | None = None,
        listen: Listen | None = None,
    ) -> Outcome:
        """Carry out one request."""
        outcome = self._runner.run(request, kind, seconds, cancel or self._cancel, listen)
        if self._cancel.asked:
            raise Cancelled
        return outcome


@dataclass
class Analysis:
    """What is known of one saved text: diagnostics, fixes, types of variables, and a verdict."""

    source: str
    diagnostics: list[lsp.Diagnostic] = field(default_factory=list)
    fixes: list[tuple[lsp.Diagnostic, Fix]] = field(default_factory=list)
    types: list[LocalTypes] = field(default_factory=list)
    lens: lsp.CodeLens | None = None


Show = Callable[[Mapping[Path, Analysis]], None]
"""Takes what is known of each file of a program."""


def lesson_for(app: App, path: Path) -> Lesson | None:
    """Return the lesson that a file belongs to by its name, if any."""
    try:
        return app.lesson_of(path)
    except UsageError:
        return None


def program_for(path: Path, project: Project) -> Path | None:
    """Return the script that is run when a file is saved; None if there is none.

    It is the entry point of the project, or the file itself if it has a main part.
    """
    if project.settings.entry_point is not None:
        entry = project.root / project.settings.entry_point
        return entry if entry.is_file() else None
    return path if convert.is_program(workspace.read_program(path).text) else None


def analyse(app: App, path: Path, folder: Path | None, show: Show, cancel: Cancel) -> None:
    """Run a file. `show` gets what is known without fixes, and again with each fix that was tried.

    `folder` is the editor's folder of the file; a program runs there unless its project says where.

    Raises TutorError if the file cannot be read or the environment is broken, and Cancelled.
    """
    submission = workspace.read_program(path)
    lesson = lesson_for(app, path)
    if lesson is not None:
        _check(app, lesson, submission, lambda result: show({path: result}), cancel)
        app.checker.prepare(lesson)  # a worker that has imported JAX by the next save
        return
    projects = Projects(app.library.slugs)
    project = projects.find(path)
    script = program_for(path, project)
    if script is not None:
        where = project.root if project.file is not None else folder or path.parent
        _diagnose(
            app,
            replace(programs.script(script), folder=str(where)),
            projects,
            lambda all_: show({path: Analysis(submission.text), **all_}),
            cancel,
        )


def _check(
    app: App,
    lesson: Lesson,
    submission: workspace.Submission,
    show: Callable[[Analysis], None],
    cancel: Cancel,
) -> None:
    verdict = attempt(app, lesson, submission, cancel)
    if verdict is None:
        raise Cancelled
    source, function = submission.text, lesson.info.function
    found = [*filter(None, [verdict.diagnosis]), *verdict.findings]
    shown = [*found, *verdict.beside]
    result = Analysis(source, [convert.diagnostic(item, source) for item in shown])
    if verdict.status != "passed" and verdict.diagnosis is None:
        result.diagnostics.append(convert.headline_diagnostic(verdict, function, source))
    result.lens = _lens(verdict, function, source)
    show(result)
    if not found or verdict.status == "passed":
        return
    fixed = fix_submission(app.checker, lesson, source, submission.path, verdict, cancel)
    if fixed is not None and fixed[0].verified:
        result.fixes.append((result.diagnostics[0], fixed[0]))
        show(result)


def _lens(verdict: Verdict, function: str, source: str) -> lsp.CodeLens:
    passed = sum(check.status == "passed" for check in verdict.checks)
    words = f"passed: all {passed} checks" if verdict.status == "passed" else verdict.headline
    region = convert.line_range(convert.function_line(function, source), source)
    command = lsp.Command(title=f"{verdict.lesson}: {words}", command="")
    return lsp.CodeLens(range=region, command=command)


def _diagnose(app: App, program: Program, projects: Projects, show: Show, cancel: Cancel) -> None:
    """Run a program as its project wants, and show what belongs to each file that it loads."""
    runner = CancellableRunner(app.checker.runner, cancel)
    project = projects.find(program.file)
    device = app.options.device or project.settings.chosen_device(app.environ)
    run = diagnose_program(
        runner,
        app.library,
        program,
        device=device,
        seconds=project.settings.seconds or SCRIPT_SECONDS,
        captured=True,
        allowances=find_allowances(lambda: project, projects, app.library.slugs),
        types=True,
    )
    found = [*filter(None, [run.diagnosis]), *run.findings]
    by_file = {file: [item for item in found if item.file == file] for file in run.sources}
    types = [*failed_types(run.failure), *(run.facts.types if run.facts is not None else ())]
    results = {
        Path(file): Analysis(
            text,
            [convert.diagnostic(item, text) for item in by_file[file]],
            types=[each for each in types if each.file == file],
        )
        for file, text in run.sources.items()
    }
    show(results)
    if not any(by_file.values()):
        return
    fixed = fix_script(run, runner, app.library, device)
    tried = [item for item in [fixed.diagnosis, *fixed.findings] if item is not None]
    for file, here in by_file.items():
        result = results[Path(file)]
        result.fixes = _verified(here, tried, result.diagnostics)
    if any(result.fixes for result in results.values()):
        show(results)


def _verified(
    before: list[Diagnosis], tried: list[Diagnosis], shown: list[lsp.Diagnostic]
) -> list[tuple[lsp.Diagnostic, Fix]]:
    """Pair each verified fix of this file alone with the diagnostic that it belongs to."""
    fixes = {
        (item.cause, item.span): item.fix
        for item in tried
        if item.fix and item.fix.verified and set(item.fix.edits) <= {item.file}
    }
    pairs = (
        (place, fixes.get((item.cause, item.span)))
        for item, place in zip(before, shown, strict=True)
    )
    return [(place, fix) for place, fix in pairs if fix is not None]
