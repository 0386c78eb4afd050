"""Reads the texts of an open editor for mistakes, while a person types. Nothing runs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from lsprotocol import types as lsp
from msgspec.structs import replace

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.sanitize import visible
from jaxtutor.core.diagnosis.editing.draft import Patch
from jaxtutor.core.linting.directives import EVERY
from jaxtutor.core.linting.groups import groups
from jaxtutor.core.linting.project import ProjectSettings
from jaxtutor.core.linting.source_lint import LintedFile, lint
from jaxtutor.errors import ConfigError
from jaxtutor.language_server import convert
from jaxtutor.language_server.analysis import Analysis
from jaxtutor.linting.imported_files import with_imports
from jaxtutor.linting.lint_run import read_group
from jaxtutor.linting.project_files import Projects

Findings = Mapping[Path, Analysis | None]
"""What is known of each text; None for one that Python cannot parse."""


def lint_open(changed: Path, texts: Mapping[Path, str], library: Library) -> Findings:
    """Return what the text of a file shows, and those of the open files that it is read with.

    `texts` are those of all open files. Files that import each other are read together; those that
    are not open are read from disk. Raises ConfigError for the settings of the changed file; open
    files whose own settings cannot be read are left out.
    """
    projects = Projects(library.slugs)
    roots = {changed: projects.find(changed).root}
    for path in texts:
        with suppress(ConfigError):
            roots[path] = projects.find(path).root
    known = {
        str(file): text
        for path, root in roots.items()
        for file, text in with_imports(path, texts, root).items()
    }
    group = next(part for part in groups(known) if str(changed) in part)
    read = read_group({file: known[file] for file in group}, library)

    def settings_of(file: str) -> tuple[ProjectSettings, str]:
        project = projects.find(Path(file))
        return project.settings, project.path_of(Path(file))

    shown = {file: known[file] for file in group if Path(file) in texts.keys() & roots}
    found = (item for item in read.found if item.file in shown)
    linted = lint(shown, found, settings_of, library.slugs)
    return {
        Path(each.file): None if each.file in read.unparsed else _analysis(each, shown[each.file])
        for each in linted
    }


def _analysis(linted: LintedFile, text: str) -> Analysis:
    """Return what is shown of a file: findings with their edits, and comments."""
    result = Analysis(text)
    for item in linted.found:
        place = convert.diagnostic(item, text)
        result.diagnostics.append(place)
        if item.fix is not None and item.is_certain:
            edited = Patch(linted.file, item.fix.replaced).apply(text)
            result.fixes.append((place, replace(item.fix, source=edited)))
    result.diagnostics += _comments(linted, text)
    return result


def _comments(linted: LintedFile, text: str) -> list[lsp.Diagnostic]:
    """Return what is to be said of comments that allow nothing, or cannot be obeyed."""
    said = [(fault.line, f"{fault.says}. {fault.remedy}") for fault in linted.faults]
    for each in linted.unused:
        what = "" if each.causes == (EVERY,) else f" {', '.join(each.causes)}"
        said.append((each.line, f"This comment allows{what}, which was not found."))
    return [
        lsp.Diagnostic(
            range=convert.line_range(line, text),
            message=visible(message),
            severity=lsp.DiagnosticSeverity.Information,
            source=convert.SOURCE,
        )
        for line, message in said
    ]
