"""Implements `explain -`: explains the exception in a log that is read from standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from jaxtutor.app import App
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.diagnosis.logs.explaining import diagnose_log
from jaxtutor.core.diagnosis.logs.frames import UNKNOWN_FILE
from jaxtutor.core.diagnosis.logs.placing import fitting_text, quoted_text
from jaxtutor.core.diagnosis.logs.reading import LoggedFailure, read_log
from jaxtutor.core.reporting.outputs.diagnosed import ExplainLogOutput
from jaxtutor.core.reporting.reports import diagnosis_report
from jaxtutor.display.prose import relative
from jaxtutor.display.render import AROUND
from jaxtutor.display.theme import visible
from jaxtutor.errors import TutorError, UsageError
from jaxtutor.storage import workspace

FOUND, NOT_FOUND = 0, 1

LARGEST_LOG = 64 << 20
"""Characters that are read; the exception that ended a program stands at the end of its log."""


def explain_log(app: App) -> int:
    """Explain the last exception of a log: its class, and its cause as far as the text tells."""
    text = sys.stdin.read(LARGEST_LOG)
    logged = read_log(text)
    if logged is None:
        raise UsageError(
            "No exception was found in the text. Looked for: a traceback of Python, IPython, Colab,"
            " pytest or rich, or a line such as `TypeError: message`.",
            "Paste the text from the line with `Traceback` to the line that names the exception:"
            " jaxtutor explain - < train.log",
        )
    failure = logged.failure
    texts = dict(_read_sources(logged))
    found = diagnose_log(logged, texts, app.library)
    page = _class_page(app, failure)
    if app.options.json:
        app.print_json(
            ExplainLogOutput(
                name="-",
                error_class=failure.error_class,
                message=failure.message,
                diagnosis=diagnosis_report(found) if found else None,
                page=(found.cause if found else None) or page or None,
            )
        )
        return FOUND
    app.renderer.whole_messages = True
    for part in _draw(app, found, logged, texts, page):
        app.console.print(part, width=app.renderer.width)
    return FOUND


def _read_sources(logged: LoggedFailure) -> Iterator[tuple[str, str]]:
    """Yield the texts of the files in the traceback that are on this machine."""
    for name in dict.fromkeys(frame.file for frame in logged.failure.frames):
        with suppress(TutorError, OSError, ValueError):
            yield name, workspace.read_program(Path(name)).text


def _class_page(app: App, failure: Failure) -> str:
    """Return the name of the page on the exception's class, empty if there is none."""
    return failure.error_class if failure.error_class in app.library.classes else ""


def _draw(
    app: App,
    found: Diagnosis | None,
    logged: LoggedFailure,
    texts: dict[str, str],
    page: str,
) -> Iterator[RenderableType]:
    failure = logged.failure
    yield Text(f"{app.marks.failed} {failure.error_class}", style="failed")
    yield Text()
    if found is None:
        yield Text(visible(failure.message), overflow="fold")
        yield Text()
    else:
        yield from _place(found, is_in_library=logged.is_in_library)
        known = fitting_text(logged, found.file, texts)
        source = known or quoted_text(logged, found.file or UNKNOWN_FILE)
        yield from app.renderer.diagnosis(found, source, around=AROUND if known else 0)
        if found.cause is None:
            yield from app.renderer.message(found)
    if found is None or found.cause is None:
        yield Text("The text alone does not show the cause.")
        if not failure.frames:
            yield Text("Paste the lines above it as well, from the line with `Traceback` on.")
        if page:
            yield from _on_class(app, page)


def _on_class(app: App, page: str) -> Iterator[RenderableType]:
    """Say what an exception of this class means, as its page begins, and name the page."""
    title, text = app.library.page(page)
    yield Text()
    yield Text(title, style="title")
    for paragraph in text.partition("\n## ")[0].strip().split("\n\n"):
        yield app.renderer.prose(" ".join(paragraph.split()))
    yield Text.assemble("Its causes, and how to tell them: ", (f"jaxtutor explain {page}", "code"))


def _place(found: Diagnosis, *, is_in_library: bool) -> Iterator[Text]:
    """Name the file and the line, as far as the text shows them."""
    line = f"line {found.span.line}" if found.span is not None else ""
    if found.file:
        yield Text(
            ", ".join(filter(None, [f"In {relative(Path(found.file))}", line])), style="quiet"
        )
    if is_in_library:
        yield Text(
            "The line is in an installed library: the text shows no line of yours. If the library"
            " does not fit the JAX in use, update it, or install an older JAX."
        )
