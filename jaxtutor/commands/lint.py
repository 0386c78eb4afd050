"""Implements `lint`."""

from __future__ import annotations

import ast
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from jaxtutor.app import App
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.lines import unified
from jaxtutor.core.linting.baseline import Accepted
from jaxtutor.core.linting.directives import EVERY, nearest
from jaxtutor.core.linting.project import ProjectSettings
from jaxtutor.core.linting.source_lint import READ, LintedFile, lint
from jaxtutor.display.prose import relative
from jaxtutor.display.theme import visible
from jaxtutor.errors import UsageError
from jaxtutor.linting.baselines import Baselines
from jaxtutor.linting.baselines import write as write_baseline
from jaxtutor.linting.fixes import fixed, write_files
from jaxtutor.linting.lint_run import find_mistakes
from jaxtutor.linting.project_files import Projects, absolute, find_files, read_sources

if TYPE_CHECKING:
    from jaxtutor.core.reporting.outputs.diagnosed import LintOutput

CLEAN, FOUND, UNREAD = 0, 1, 2


@dataclass(frozen=True)
class LintOptions:
    """What `lint` looks for and prints.

    `select` and `ignore` are added to those of the project. `stdin_name` names the text of standard
    input, which the path `-` stands for. `fix` writes edits into the files, and `diff` prints them:
    those that cannot change results, and with `unsafe_fixes` the others. `baseline` is the file of
    accepted findings, if it is not that of the project.
    """

    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    stdin_name: str | None = None
    statistics: bool = False
    exit_zero: bool = False
    jobs: int | None = None
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    baseline: Path | None = None
    write_baseline: Path | None = None


@dataclass
class LintResult:
    """What was read, what is reported, and why other files were not read."""

    files: Sequence[LintedFile]
    problems: dict[str, str]
    texts: Mapping[str, str]
    accepted: int = 0
    gone: Sequence[Accepted] = ()
    fixed: Sequence[str] = ()
    lines: int = field(init=False)

    def __post_init__(self) -> None:
        read = (text for file, text in self.texts.items() if file not in self.problems)
        self.lines = sum(text.count("\n") for text in read)

    @property
    def count(self) -> int:
        """How many files were read and parsed."""
        return sum(file.file not in self.problems for file in self.files)

    @property
    def found(self) -> list[Diagnosis]:
        """All that is reported, in the order of the files."""
        return [found for file in self.files for found in file.found]

    @property
    def certain(self) -> int:
        """How many mistakes there are, without what is worth a look only."""
        return sum(found.is_certain for found in self.found)

    @property
    def comments(self) -> int:
        """How many comments allow nothing, or cannot be obeyed."""
        return sum(len(file.unused) + len(file.faults) for file in self.files)

    @property
    def status(self) -> int:
        """The exit status."""
        if self.problems:
            return UNREAD
        return FOUND if self.certain or self.comments else CLEAN


def run_lint(app: App, paths: Sequence[Path], chosen: LintOptions) -> int:
    """Read files for mistakes, without running them; report what was found."""
    _check_options(app, chosen)
    linter = Linter(app, chosen)
    texts, problems = linter.read(paths)
    if chosen.write_baseline is not None:
        return _accept(app, linter, chosen.write_baseline, texts, problems)
    if not (chosen.fix or chosen.diff):
        return _report(app, linter.lint(texts, problems), chosen)
    after = fixed(texts, linter.files, chosen.unsafe_fixes)
    if chosen.diff:
        return _print_diff(app, texts, after, problems)
    if Path("-") in paths:
        app.stdout.write("".join(after.values()))
        status = linter.lint(after, problems).status
        return CLEAN if chosen.exit_zero and status == FOUND else status
    written, refused = write_files(texts, after)
    result = linter.lint(after, problems | refused)
    result.fixed = written
    return _report(app, result, chosen)


def _check_options(app: App, chosen: LintOptions) -> None:
    if chosen.unsafe_fixes and not (chosen.fix or chosen.diff):
        raise UsageError("--unsafe-fixes changes nothing alone.", "Add --fix or --diff.")
    if (chosen.fix or chosen.diff) and chosen.write_baseline is not None:
        raise UsageError("--write-baseline changes no file.", "Leave --fix and --diff out.")
    if chosen.diff and (chosen.fix or app.options.json):
        raise UsageError("--diff prints nothing but a diff.", "Leave --fix and --format out.")


class Linter:
    """Lints texts by the settings of their projects and by the options."""

    def __init__(self, app: App, chosen: LintOptions) -> None:
        _check_slugs(app, (*chosen.select, *chosen.ignore))
        self._app = app
        self._chosen = chosen
        self._projects = Projects(app.library.slugs)
        self._baselines = Baselines(self._projects, chosen.baseline)

    def read(self, paths: Sequence[Path]) -> tuple[dict[str, str], dict[str, str]]:
        """Read files and folders, or standard input. Raises UsageError and ConfigError."""
        if Path("-") not in paths:
            return read_sources(find_files(paths or [Path()], self._projects))
        if len(paths) > 1:
            raise UsageError("Standard input is linted alone.", "Give `-`, or files and folders.")
        name = str(absolute(Path(self._chosen.stdin_name or "stdin.py")))
        return {name: sys.stdin.read()}, {}

    def all_files(self, texts: Mapping[str, str]) -> tuple[Sequence[LintedFile], dict[str, str]]:
        """Return what is found in texts, accepted or not, and why others were not read."""
        library, jobs = self._app.library, self._chosen.jobs or os.cpu_count() or 1
        found = find_mistakes(texts, library, self._app.workspace.lints, jobs)
        files = lint(texts, found.found, self._settings_of, library.slugs)
        return files, {file: _why_unparsed(texts[file]) for file in found.unparsed}

    def files(self, texts: Mapping[str, str]) -> Sequence[LintedFile]:
        """Return what is reported of texts."""
        return self.lint(texts, {}).files

    def lint(self, texts: Mapping[str, str], problems: Mapping[str, str]) -> LintResult:
        """Return what is reported of texts, beside what the baseline accepts."""
        files, unparsed = self.all_files(texts)

        def is_sought(file: str, cause: str) -> bool:
            settings, path = self._settings_of(file)
            is_named = settings.ignores(cause, path)
            return file not in unparsed and settings.selects(cause) and not is_named

        left = self._baselines.leave_out(files, texts, is_sought)
        return LintResult(left.files, {**problems, **unparsed}, texts, left.accepted, left.gone)

    def _settings_of(self, file: str) -> tuple[ProjectSettings, str]:
        project = self._projects.find(Path(file))
        settings = project.settings.with_options(self._chosen.select, self._chosen.ignore)
        return settings, project.path_of(Path(file))


def _why_unparsed(text: str) -> str:
    """Say where Python stops parsing; a newer Python may know the syntax."""
    try:
        ast.parse(text)
    except SyntaxError as error:
        version = f"Python {sys.version_info.major}.{sys.version_info.minor}"
        reason = error.msg.partition(". ")[0]  # what follows is a guess
        return f"{version} cannot parse line {error.lineno}: {reason}."
    except (ValueError, RecursionError, MemoryError) as error:
        return f"Python cannot parse it: {error or 'it is nested too deeply'}."
    return "Python cannot parse it."


def _accept(
    app: App, linter: Linter, place: Path, texts: dict[str, str], problems: dict[str, str]
) -> int:
    """Write all that is found as the baseline, unless a file could not be read."""
    files, unparsed = linter.all_files(texts)
    if problems or unparsed:
        unread = _shown(next(iter(problems | unparsed)))
        raise UsageError(
            f"{unread} cannot be read, so no baseline was written.", "Correct or exclude it."
        )
    count = write_baseline(place, files, texts)
    app.stdout.write(f"{count} accepted in {place}.\n")
    return CLEAN


def _report(app: App, result: LintResult, chosen: LintOptions) -> int:
    if app.options.json:
        app.print_json(report(result), result.texts)
    else:
        for part in draw(app, result, chosen):
            app.console.print(part, width=app.renderer.width)
    return CLEAN if chosen.exit_zero and result.status == FOUND else result.status


def _print_diff(
    app: App, before: Mapping[str, str], after: Mapping[str, str], problems: Mapping[str, str]
) -> int:
    """Print what a fix would change; the status says whether that is something."""
    for file, text in after.items():
        name = _shown(file)
        app.stdout.write(unified(before[file], text, (name, name)))
    for file, why in problems.items():
        app.warn(f"{_shown(file)}: not read. {why}")
    if problems:
        return UNREAD
    return FOUND if after != before else CLEAN


def _check_slugs(app: App, slugs: Sequence[str]) -> None:
    for slug in slugs:
        if slug not in app.library.slugs:
            raise UsageError(f"There is no cause {slug!r}.", nearest(slug, app.library.slugs))


# ---------------------------------------------------------------- output


def report(result: LintResult) -> LintOutput:
    """Build what `--json` prints."""
    from jaxtutor.core.reporting.reports import lint_report

    return lint_report(
        result.files,
        result.problems,
        result.count,
        result.lines,
        accepted=result.accepted,
        gone=result.gone,
        fixed=result.fixed,
    )


def draw(app: App, result: LintResult, chosen: LintOptions) -> Iterator[RenderableType]:
    """Draw what was found, and at the end how much was read."""
    for file in result.files:
        name = _shown(file.file)
        for found in file.found:
            yield from _draw_one(app, found, result.texts[file.file], name)
        for each in file.unused:
            what = "" if each.causes == (EVERY,) else f" {', '.join(each.causes)}"
            yield _place(name, each.line, f"This comment allows{what}, which was not found.")
        for fault in file.faults:
            yield _place(name, fault.line, f"{fault.says}. {fault.remedy}")
    for file_name, why in result.problems.items():
        yield Text(visible(f"{_shown(file_name)}: not read. {why}"), style="failed")
    for gone in result.gone:
        yield Text(visible(f"{gone.path}: {gone.cause}, accepted before, is fixed."))
    if result.gone:
        yield Text("Write the baseline again: jaxtutor lint --write-baseline FILE")
    for fixed_file in result.fixed:
        yield Text(visible(f"{_shown(fixed_file)}: fixed."), style="passed")
    if chosen.statistics:
        yield from _statistics(result.found)
    is_passed = not (result.certain or result.problems)
    yield Text(visible(_summary(app, result)), style="passed" if is_passed else "failed")


def _shown(file: str) -> str:
    """Return a path as a person at this folder would type it."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else relative(path)


def _draw_one(app: App, found: Diagnosis, text: str, name: str) -> Iterator[RenderableType]:
    look = "" if found.is_certain else " (worth a look)"
    yield Text(visible(f"{name}:{found.line}: {found.cause}{look}"), style="title")
    yield from app.renderer.diagnosis(found, text)


def _place(name: str, line: int, says: str) -> Text:
    return Text(visible(f"{name}:{line}: {says}"), overflow="fold")


def _statistics(found: Sequence[Diagnosis]) -> Iterator[RenderableType]:
    for cause, times in Counter(item.cause for item in found).most_common():
        yield Text(f"{times:6}  {cause}")


def _summary(app: App, result: LintResult) -> str:
    if result.problems and not result.count:
        return f"{app.marks.failed} Nothing was read."
    files, lines = _number_of_files(result.count), f"{result.lines:,} lines"
    read = f"{files}, {lines} read for {len(READ)} mistakes that show without a run"
    if result.problems:
        read += f", {_number_of_files(len(result.problems))} not read"
    if result.accepted:
        read += f", {result.accepted:,} accepted"
    if not result.found:
        mark = app.marks.failed if result.problems else app.marks.passed
        return f"{mark} Nothing found. {read}."
    looks = len(result.found) - result.certain
    count = {0: "", 1: "1 mistake"}.get(result.certain, f"{result.certain:,} mistakes")
    also = f"{looks} worth a look" if looks else ""
    found = ", ".join(filter(None, (count, also)))
    mark = app.marks.failed if result.certain or result.problems else app.marks.passed
    return f"{mark} {found}. {read}.{_fixable(result)}"


def _number_of_files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"


def _fixable(result: LintResult) -> str:
    """Say how many mistakes have an edit."""
    fixes = [found.fix for found in result.found if found.is_certain and found.fix is not None]
    if not fixes:
        return ""
    safe = sum(fix.keeps_results for fix in fixes)
    return f" {safe} can be fixed with --fix, {len(fixes) - safe} with --fix --unsafe-fixes."
