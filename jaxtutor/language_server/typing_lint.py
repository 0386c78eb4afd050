"""Reads the text of an open editor for mistakes, while a person types. Nothing runs."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types as lsp

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.sanitize import visible
from jaxtutor.core.linting.directives import EVERY
from jaxtutor.core.linting.source_lint import LintedFile, lint
from jaxtutor.language_server import convert
from jaxtutor.linting.lint_run import read_group
from jaxtutor.linting.project_files import Projects


def lint_text(path: Path, text: str, library: Library) -> list[lsp.Diagnostic] | None:
    """Return what a text shows by itself; None while Python cannot parse it. Raises ConfigError."""
    file = str(path)
    read = read_group({file: text}, library)
    if read.unparsed:
        return None
    project = Projects(library.slugs).find(path)
    settings = project.settings, project.path_of(path)
    (linted,) = lint({file: text}, read.found, lambda _: settings, library.slugs)
    return [*(convert.diagnostic(item, text) for item in linted.found), *_comments(linted, text)]


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
