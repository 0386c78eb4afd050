"""Implements `lint`."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from jaxtutor.app import App
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.linting.directives import EVERY, nearest
from jaxtutor.core.linting.project import ProjectSettings
from jaxtutor.core.linting.source_lint import READ, LintedFile, lint
from jaxtutor.display.prose import relative
from jaxtutor.display.theme import visible
from jaxtutor.errors import UsageError
from jaxtutor.linting.lint_run import find_mistakes
from jaxtutor.linting.project_files import Projects, absolute, find_files, read_sources

CLEAN, FOUND, UNREAD = 0, 1, 2


@dataclass(frozen=True)
class LintOptions:
    """What `lint` looks for and prints.

    `select` and `ignore` are added to those of the project. `stdin_name` names the text of standard
    input, which the path `-` stands for.
    """

    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    stdin_name: str | None = None
    statistics: bool = False
    exit_zero: bool = False
    jobs: int | None = None


@dataclass
class LintResult:
    """What was read, what is reported, and why other files were not read."""

    files: Sequence[LintedFile]
    problems: dict[str, str]
    texts: dict[str, str]
    lines: int = field(init=False)

    def __post_init__(self) -> None:
        self.lines = sum(text.count("\n") for text in self.texts.values())

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


def run_lint(app: App, paths: Sequence[Path], chosen: LintOptions) -> int:
    """Read files for mistakes, without running them; report what was found."""
    result = lint_paths(app, paths, chosen)
    if app.options.json:
        app.print_json(report(result))
    else:
        for part in draw(app, result, chosen):
            app.console.print(part, width=app.renderer.width)
    if result.problems:
        return UNREAD
    return FOUND if (result.certain or result.comments) and not chosen.exit_zero else CLEAN


def lint_paths(app: App, paths: Sequence[Path], chosen: LintOptions) -> LintResult:
    """Lint files and folders. Raises UsageError and ConfigError."""
    _check_slugs(app, (*chosen.select, *chosen.ignore))
    projects = Projects(app.library.slugs)
    if Path("-") in paths:
        if len(paths) > 1:
            raise UsageError("Standard input is linted alone.", "Give `-`, or files and folders.")
        name = str(absolute(Path(chosen.stdin_name or "stdin.py")))
        texts, problems = {name: sys.stdin.read()}, dict[str, str]()
    else:
        files = find_files(paths or [Path()], projects)
        texts, problems = read_sources(files)
    jobs = chosen.jobs or os.cpu_count() or 1
    found = find_mistakes(texts, app.library, app.workspace.lints, jobs)
    problems |= dict.fromkeys(found.unparsed, "Python cannot parse it.")

    def settings_of(file: str) -> tuple[ProjectSettings, str]:
        project = projects.find(Path(file))
        return project.settings.with_options(chosen.select, chosen.ignore), project.path_of(
            Path(file)
        )

    return LintResult(lint(texts, found.found, settings_of, app.library.slugs), problems, texts)


def _check_slugs(app: App, slugs: Sequence[str]) -> None:
    for slug in slugs:
        if slug not in app.library.slugs:
            raise UsageError(f"There is no cause {slug!r}.", nearest(slug, app.library.slugs))


# ---------------------------------------------------------------- output


def report(result: LintResult) -> dict[str, Any]:
    """Build the report that `--json` prints."""
    from jaxtutor.core.reporting.reports import lint_report

    return lint_report(result.files, result.problems, result.lines)


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
    if chosen.statistics:
        yield from _statistics(result.found)
    yield Text(visible(_summary(app, result)), style="passed" if not result.certain else "failed")


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
    files = "1 file" if len(result.files) == 1 else f"{len(result.files):,} files"
    read = f"{files}, {result.lines:,} lines read for {len(READ)} mistakes that show without a run"
    if not result.found:
        return f"{app.marks.passed} Nothing found. {read}."
    looks = len(result.found) - result.certain
    count = {0: "", 1: "1 mistake"}.get(result.certain, f"{result.certain:,} mistakes")
    also = f"{looks} worth a look" if looks else ""
    return f"{app.marks.failed} {', '.join(filter(None, (count, also)))}. {read}."
