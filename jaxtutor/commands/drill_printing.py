"""Prints drills: the broken program, the answers to its questions, and the result of a fix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from jaxtutor.app import App
from jaxtutor.core.data.drills import Drill
from jaxtutor.core.diagnosis.engine.pages import fill
from jaxtutor.display.theme import visible

if TYPE_CHECKING:
    from jaxtutor.checks.drill_check import FixResult


def print_program(app: App, drill: Drill) -> None:
    """Print a broken program with the numbers of its lines, and what it should print."""
    from jaxtutor.display.code import highlight

    app.console.print(f"Drill: {drill.name}", style="title")
    if app.console.is_terminal and not app.options.plain:
        app.console.print(highlight(drill.broken, is_numbered=True))
    else:
        for number, line in enumerate(drill.broken.splitlines(), 1):
            app.stdout.write(f"{number:>3}  {line}".rstrip() + "\n")
    app.console.print("It should print:")
    _print_output(app, drill.expected)


def _print_output(app: App, text: str) -> None:
    for line in text.rstrip("\n").split("\n"):
        app.console.print(Text("  " + visible(line), overflow="fold"))


def print_reading(
    app: App, drill: Drill, line: int, line_right: bool, cause_right: bool, why: str
) -> None:
    """Print whether the line and the cause were right, and which they are.

    After a wrong answer, `why` says what is wrong with the program.
    """
    rows = drill.broken.splitlines()
    title = app.prose_renderer.prose(app.library[drill.cause].title)
    right = line if line_right else drill.line
    _print_marked(app, line_right, Text(f"Line {right}: {rows[right - 1].strip()}"))
    _print_marked(app, cause_right, Text.assemble(title, f" ({drill.cause})"))
    if why:
        app.console.print(app.prose_renderer.prose(visible(why)), width=app.prose_renderer.width)


def _print_marked(app: App, right: bool, sentence: Text) -> None:
    mark, style = (app.marks.passed, "passed") if right else (app.marks.failed, "failed")
    app.console.print(Text.assemble((mark, style), " ", sentence, overflow="fold"))


def print_fix(app: App, drill: Drill, result: FixResult) -> None:
    """Print the result of a fix."""
    right = result.status == "right"
    mark, style = (app.marks.passed, "passed") if right else (app.marks.failed, "failed")
    says = app.prose_renderer.prose(_SAYS[result.status])
    app.console.print(Text.assemble((mark, style), " ", says, overflow="fold"))
    if right:
        print_lesson(app, drill)
        return
    run = result.run
    if run is not None and result.status == "wrong":
        app.console.print("Expected:")
        _print_output(app, drill.expected)
        app.console.print("Got:")
        _print_output(app, run.stdout)
    if run is not None and result.diagnosis is not None:
        source = run.sources.get(result.diagnosis.file, "")
        for part in app.renderer.diagnosis(result.diagnosis, source):
            app.console.print(part, width=app.renderer.width)


def print_lesson(app: App, drill: Drill) -> None:
    """Print what the cause is in one sentence, and where its page is."""
    app.console.print(app.prose_renderer.prose(lesson_of(app, drill)))
    app.console.print(f"Read more: jaxtutor explain {drill.cause}", style="quiet")


def lesson_of(app: App, drill: Drill) -> str:
    """Return the sentences that summarise a cause, with the names of its page's example."""
    return app.library.summaries.get(drill.cause) or fill(app.library[drill.cause].summary, {})


def why_wrong(app: App, drill: Drill) -> str:
    """Return what is wrong with a broken program: of its own run, or else of the page's example."""
    from jaxtutor.checks.drill_check import diagnose_broken

    found = diagnose_broken(app, drill)
    return lesson_of(app, drill) if found is None else found.summary


_SAYS = {
    "right": "It prints the expected answer.",
    "empty": "The file is empty.",
    "unchanged": "The program is unchanged.",
    "wrong": "It prints another answer than expected.",
    "mistaken": "It prints the expected answer, but it still has a mistake.",
    "uncompiled": "It prints the expected answer, but no function is compiled any more. Keep "
    "`jax.jit`: a program that has to be compiled has this mistake.",
    "failed": "It does not run to its end.",
    "timed_out": "It did not end within the time limit, and was stopped.",
}
