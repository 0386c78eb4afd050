"""Implements `grade`: checks a folder of learners' files and reports to an instructor."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import NOT_PASSED, PASSED
from jaxtutor.commands.grade_engine import Confinement, Engine, open_engine
from jaxtutor.errors import TutorError, UsageError

if TYPE_CHECKING:
    from jaxtutor.core.grading.grades import Grade, SubmittedFile
    from jaxtutor.core.grading.points import Points
    from jaxtutor.core.reporting.outputs.teaching import GradeOutput
    from jaxtutor.grading.folder import SubmissionFolder
    from jaxtutor.grading.outputs import Graded
    from jaxtutor.grading.plan import GradeOptions, GradingPlan


def grade(app: App, place: Path, chosen: GradeOptions) -> int:
    """Grade a folder or an archive of learners' files and return the exit status."""
    from jaxtutor.grading.folder import collect
    from jaxtutor.grading.outputs import Graded, write_outputs
    from jaxtutor.grading.plan import make_plan

    plan = make_plan(app.course, chosen)
    pile = collect(place, app.course, expected=plan.expectations)
    _require_packages(app, plan, pile)
    started = time.monotonic()
    with open_engine(app, place, plan) as engine:
        if not app.options.json and engine.confinement.holds:
            app.warn(engine.confinement.says)
        kept, waiting = _resume(plan, engine, pile)
        done = [*kept, *_gather(app, plan, engine, waiting)]
        lost = engine.lost()
    points = plan.worth(_graded_lessons(app, done + list(pile.settled)))
    confinement, seconds = engine.confinement, time.monotonic() - started
    grades = _in_order(app, [*pile.settled, *done], points)
    graded = Graded(grades, points, pile, confinement.holds, confinement.says, seconds)
    problems = write_outputs(plan.outputs, graded, app.course)
    _say_lost(app, lost)
    if app.options.json:
        app.print_json(_output(place, confinement, graded, len(kept), lost))
    else:
        _show(app, graded, confinement, len(kept))
    for problem in problems:  # after the table: a full disk must not cost minutes of grading
        app.warn(problem.message, problem.remedy)
    return problems[0].status if problems else _status_of(grades)


def _require_packages(app: App, plan: GradingPlan, pile: SubmissionFolder) -> None:
    """Raise MissingPackages before anything runs; machines of a cluster have their own packages."""
    if plan.scheduler is None:
        for slug in sorted({it.lesson for it in pile.submissions}):
            app.course.find(slug).require_packages()


def _graded_lessons(app: App, grades: Sequence[Grade]) -> list[str]:
    named = {grade.lesson for grade in grades}
    return [lesson.slug for lesson in app.course.lessons if lesson.slug in named]


def _in_order(app: App, grades: Sequence[Grade], points: Points) -> list[Grade]:
    from jaxtutor.core.grading.grades import in_order, with_points

    counted = [with_points(grade, points) for grade in grades]
    return in_order(counted, [lesson.slug for lesson in app.course.lessons])


def _status_of(grades: Sequence[Grade]) -> int:
    from jaxtutor.core.grading.grades import is_clean

    if any(grade.status in ("lesson_at_fault", "not_graded") for grade in grades):
        return TutorError.status
    return PASSED if is_clean(grades) else NOT_PASSED


# ---------------------------------------------------------------- the run


def _resume(
    plan: GradingPlan, engine: Engine, pile: SubmissionFolder
) -> tuple[list[Grade], list[SubmittedFile]]:
    """Return the grades that an earlier run made, and the submissions that are left."""
    from jaxtutor.core.grading.grades import regraded

    if plan.journal is None:
        return [], list(pile.submissions)
    kept, waiting = [], []
    for submission in pile.submissions:
        before = plan.journal.find(engine.key(submission))
        if before is None:
            waiting.append(submission)
        else:
            kept.append(regraded(submission, before))
    return kept, waiting


def _gather(
    app: App, plan: GradingPlan, engine: Engine, waiting: Sequence[SubmittedFile]
) -> list[Grade]:
    """Wait for all grades, and keep each; if interrupted, report how many were made."""
    keys = {it.file: engine.key(it) for it in waiting} if plan.journal else {}
    done: list[Grade] = []
    with closing(engine.grade(waiting)) as made:  # closing it ends what is still running
        try:
            for one in _counted(app, made, len(waiting)):
                _refuse_unknown_checks(plan, one)
                done.append(one)
                if plan.journal and keys[one.file]:
                    plan.journal.add(keys[one.file], one)
        except KeyboardInterrupt:
            app.warn(f"{len(done)} of {len(waiting)} were graded; {_kept(plan)}")
            raise
    return done


def _kept(plan: GradingPlan) -> str:
    if plan.journal is None:
        return "nothing was written. With --resume FILE, the next run would go on from there."
    return f"they are in {plan.journal.path}. Run the same command to go on."


def _refuse_unknown_checks(plan: GradingPlan, made: Grade) -> None:
    """Refuse points for a check that the lesson does not have, as soon as its checks are known."""
    from jaxtutor.core.grading.points import unknown_checks

    if plan.points is None or len(made.checks) < 2:  # a syntax error ends the first check
        return
    unknown = unknown_checks(plan.points, made.lesson, made.checks)
    if unknown:
        known = ", ".join(dict.fromkeys(check.name for check in made.checks))
        raise UsageError(
            f"The points name a check {unknown[0]!r}, which {made.lesson} does not have.",
            f"Its checks are {known}.",
        )


def _counted(app: App, made: Iterator[Grade], total: int) -> Iterator[Grade]:
    """Pass the grades on, with a progress bar if standard error is a terminal."""
    if app.options.plain or app.options.json or not app.stderr.isatty():
        yield from made
        return
    from rich.progress import track

    from jaxtutor.display.theme import make_console

    console = make_console(app.stderr, app.options.plain, app.environ)
    yield from track(made, "Grading", total=total, console=console, transient=True)


# ---------------------------------------------------------------- output


def _say_lost(app: App, lost: Sequence[str]) -> None:
    if lost:
        app.warn(
            f"{len(lost)} of the cluster's workers were lost: {', '.join(lost)}.",
            "Their work was given to others. If they ran out of memory, start fewer of them.",
        )


def _show(app: App, graded: Graded, confinement: Confinement, kept: int) -> None:
    from jaxtutor.display.grades import grades_page

    order = [lesson.slug for lesson in app.course.lessons]
    if not confinement.holds:
        app.console.print(confinement.says)
    if kept:
        app.console.print(f"{kept} were graded by an earlier run, and not again.", style="quiet")
    for part in grades_page(graded.grades, order, app.marks, graded.points):
        app.console.print(part)


def _output(
    place: Path, confinement: Confinement, graded: Graded, kept: int, lost: Sequence[str]
) -> GradeOutput:
    from jaxtutor.core.grading.grades import STATUSES, as_row, count
    from jaxtutor.core.reporting.outputs.teaching import GradeCounts, GradeOutput, GradingLimits

    counts = count(graded.grades)
    limits = confinement.limits
    return GradeOutput(
        folder=str(place),
        confined=confinement.holds,
        confinement=confinement.says,
        limits=GradingLimits(
            tasks=limits.tasks if limits else None,
            memory=limits.memory if limits else None,
        ),
        seconds=round(graded.seconds, 4),
        resumed=kept,
        lost_workers=tuple(lost),
        counts=GradeCounts(**{status: counts.get(status, 0) for status in STATUSES}),
        grades=tuple(map(as_row, graded.grades)),
    )
