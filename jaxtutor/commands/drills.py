"""Implements `drill`: chooses broken programs, and checks the learner's answers and fixes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import NOT_PASSED, PASSED
from jaxtutor.commands.drill_log import DrillLog
from jaxtutor.content.drill_pages import DrillPages
from jaxtutor.core.data.drills import Drill
from jaxtutor.core.learning.drills import (
    SESSION,
    choose_options,
    plan,
    plan_cause,
)
from jaxtutor.errors import UsageError
from jaxtutor.storage import clock

if TYPE_CHECKING:
    from jaxtutor.core.reporting.outputs.learning import ShownDrill


@dataclass(frozen=True)
class DrillAnswer:
    """The answer on the command line: the line to change and the cause, or a fixed file.

    Without a line, `cause` selects the drills of one cause.
    """

    line: int | None = None
    cause: str | None = None
    fix: Path | None = None


def drill(app: App, name: str | None, answer: DrillAnswer) -> int:
    """Run a session of drills, show one, or check the answer to one."""
    pages = DrillPages()
    if name is None and (answer.line is not None or answer.fix is not None):
        raise UsageError("An answer needs the name of its drill.", "See: jaxtutor drill")
    if answer.fix is not None and name is not None:
        return _report_fix(app, pages.find(name), answer.fix)
    if answer.line is not None and name is not None:
        return _report_reading(app, pages.find(name), answer)
    if name is None:
        drills = _choose(app, pages, answer.cause)
    elif answer.cause is not None:
        raise UsageError("The line is missing.", "Give both --line N and --cause SLUG.")
    else:
        drills = (pages.find(name),)
    if app.options.json:
        from jaxtutor.core.reporting.outputs.learning import DrillOutput

        app.print_json(DrillOutput(drills=tuple(_shown(app, drill) for drill in drills)))
        return PASSED
    if app.interactive:
        return _run_session(app, drills)
    for each in drills:
        _print(app, each)
    return PASSED


def _choose(app: App, pages: DrillPages, cause: str | None) -> tuple[Drill, ...]:
    log, now = DrillLog(app), clock.now()
    if cause is not None:
        return plan_cause(pages.of(cause), log.results())
    return plan(pages.by_cause, log.results(), log.recalls(pages, now), now)


# ---------------------------------------------------------------- at a terminal


def _run_session(app: App, drills: tuple[Drill, ...]) -> int:
    from jaxtutor.commands.drill_talk import DrillTalk, has_more

    started, log = time.monotonic(), DrillLog(app)
    results: list[bool] = []
    for number, each in enumerate(drills):
        if number and (time.monotonic() - started > SESSION or not has_more(app)):
            break
        right = DrillTalk(app, log, each, options_of(app, each)).run()
        if right is None:
            break
        results.append(right)
    if results:
        count = "1 drill" if len(results) == 1 else f"{len(results)} drills"
        app.console.print(f"{count}, {sum(results)} right. What is due: jaxtutor review")
    return PASSED if all(results) else NOT_PASSED


# ---------------------------------------------------------------- without a terminal


def options_of(app: App, drill: Drill) -> tuple[str, ...]:
    """Return the causes to choose from; the wrong ones are the nearest to the right one.

    The nearest are those that its page refers to, then those that raise the same class, then those
    that raise nothing as it does.
    """
    library = app.library
    mine = library[drill.cause]
    plain = [slug for slug in library if not library[slug].needs]
    close = [slug for slug in mine.see if slug in plain]
    alike = [slug for slug in plain if set(library[slug].raises) & set(mine.raises)]
    silent = [slug for slug in plain if bool(library[slug].raises) == bool(mine.raises)]
    return choose_options(drill, (close, alike, silent))


def _shown(app: App, drill: Drill) -> ShownDrill:
    from jaxtutor.core.reporting.outputs.learning import CauseOption, ShownDrill

    options = options_of(app, drill)
    return ShownDrill(
        name=drill.name,
        source=drill.broken,
        expected=drill.expected,
        options=tuple(CauseOption(cause=it, title=app.library[it].title) for it in options),
    )


def _print(app: App, drill: Drill) -> None:
    from jaxtutor.commands.drill_printing import print_program

    print_program(app, drill)
    for slug in options_of(app, drill):
        app.console.print(f"  {slug}: {app.library[slug].title}", style="quiet")
    command = f"jaxtutor drill {drill.name}"
    app.console.print(f"Answer: {command} --line N --cause NAME", style="quiet")
    app.console.print(f"Check a fixed file: {command} --fix FILE", style="quiet")
    app.console.print()


def _report_reading(app: App, drill: Drill, answer: DrillAnswer) -> int:
    from jaxtutor.commands.drill_printing import lesson_of, print_reading, why_wrong

    assert answer.line is not None
    if not 1 <= answer.line <= drill.size:
        raise UsageError(
            f"{drill.name} has no line {answer.line}.", f"Its lines are 1 to {drill.size}."
        )
    if answer.cause not in app.library.slugs:
        given = "The cause is missing." if answer.cause is None else f"No cause: {answer.cause!r}."
        raise UsageError(given, "Give both --line N and --cause SLUG.")
    line_right, cause_right = answer.line in drill.lines, answer.cause == drill.cause
    DrillLog(app).add_reading(drill, line_right, cause_right)
    why = "" if line_right and cause_right else why_wrong(app, drill)
    if app.options.json:
        from jaxtutor.core.reporting.outputs.learning import DrillAnswerOutput

        app.print_json(
            DrillAnswerOutput(
                name=drill.name,
                line=drill.line,
                lines=tuple(drill.lines),
                cause=drill.cause,
                line_right=line_right,
                cause_right=cause_right,
                why=why,
                says=lesson_of(app, drill),
            )
        )
    else:
        print_reading(app, drill, answer.line, line_right, cause_right, why)
    return PASSED if line_right and cause_right else NOT_PASSED


def _report_fix(app: App, drill: Drill, file: Path) -> int:
    from jaxtutor.checks.drill_check import run_fix
    from jaxtutor.commands.drill_printing import lesson_of, print_fix

    result = run_fix(app, drill, file)
    if result.run is not None:
        DrillLog(app).add_fix(drill, result.status == "right")
    if app.options.json:
        from jaxtutor.core.reporting.outputs.learning import DrillFixOutput
        from jaxtutor.core.reporting.reports import diagnosis_report

        found = result.diagnosis
        app.print_json(
            DrillFixOutput(
                name=drill.name,
                status=result.status,
                expected=drill.expected,
                stdout=result.run.stdout if result.run else "",
                diagnosis=diagnosis_report(found) if found else None,
                says=lesson_of(app, drill),
            )
        )
    else:
        print_fix(app, drill, result)
    return PASSED if result.status == "right" else NOT_PASSED
