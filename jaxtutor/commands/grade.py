"""Owns `grade`: a folder of learners' files checked, and what an instructor gets of it."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import NOT_PASSED, PASSED
from jaxtutor.errors import TutorError, UsageError

if TYPE_CHECKING:
    from jaxtutor.core.reporting.grades import Grade
    from jaxtutor.grading.folder import SubmissionFolder


LARGEST_SEED = (1 << 63) - 1
"""It is sent to a worker as a number of 64 bits."""


@dataclass(frozen=True)
class GradeOptions:
    """What was asked for besides the folder."""

    lesson: str | None = None
    csv: Path | None = None
    junit: Path | None = None
    jobs: int = 0
    confine: str = "auto"
    scheduler: str | None = None
    seed: int = 0


@dataclass(frozen=True)
class Confinement:
    """Whether submissions are confined, and the sentence that says so."""

    holds: bool
    says: str


def grade(app: App, folder: Path, wish: GradeOptions) -> int:
    """Grade a folder of learners' files."""
    from jaxtutor.core.reporting.grades import in_order
    from jaxtutor.grading.folder import collect

    if wish.confine not in ("auto", "always", "never"):
        raise UsageError(f"{wish.confine!r} is none of auto, always, never.", "See: grade --help")
    if wish.seed > LARGEST_SEED:
        raise UsageError(f"The seed {wish.seed} is too large.", f"At most it is {LARGEST_SEED}.")
    only = app.course.find(wish.lesson) if wish.lesson else None
    pile = collect(folder, app.course, only)
    started = time.monotonic()
    with _engine(app, wish, pile) as (made, confinement):
        if not app.options.json:
            app.warn(confinement.says)
        done = _gather(app, made, len(pile.papers))
    order = [lesson.slug for lesson in app.course.lessons]
    grades = in_order([*pile.settled, *done], order)
    problem = _write(wish, grades)
    if app.options.json:
        app.print_json(_report(folder, confinement, time.monotonic() - started, grades))
    else:
        _show(app, grades, order)
    if problem:  # the table is shown all the same: a full disk must not cost minutes of grading
        app.warn(problem.message, problem.remedy)
        return problem.status
    return _status_of(grades)


def _status_of(grades: Sequence[Grade]) -> int:
    from jaxtutor.core.reporting.grades import is_clean

    if any(grade.status in ("lesson_at_fault", "not_graded") for grade in grades):
        return TutorError.status
    return PASSED if is_clean(grades) else NOT_PASSED


# ---------------------------------------------------------------- here or elsewhere


@contextmanager
def _engine(
    app: App, wish: GradeOptions, pile: SubmissionFolder
) -> Iterator[tuple[Iterator[Grade], Confinement]]:
    """Give the grades as they are made, and a sentence on how submissions are confined."""
    if wish.scheduler:
        with _elsewhere(app, wish, pile) as made:
            yield made
        return
    from jaxtutor.checking.lesson_check import unconfined
    from jaxtutor.grading.folder import grade_here, processors
    from jaxtutor.processes import sandbox

    problem = "" if wish.confine == "never" else sandbox.find_problem()
    _insist(wish, problem)
    is_confined = wish.confine != "never" and not problem
    # Without `programs`: to use them is to trust whoever may write to them.
    wrap = sandbox.wrap if is_confined else unconfined
    checker = replace(app.checker, wrap=wrap, programs=None)
    jobs = wish.jobs or processors()
    with closing(grade_here(pile.papers, app.course, checker, jobs, wish.seed)) as made:
        yield made, _confinement(is_confined, problem)


@contextmanager
def _elsewhere(
    app: App, wish: GradeOptions, pile: SubmissionFolder
) -> Iterator[tuple[Iterator[Grade], Confinement]]:
    from jaxtutor.grading.cluster import Cluster

    assert wish.scheduler is not None
    app.trust_course()
    with closing(Cluster(wish.scheduler)) as cluster:
        machines = cluster.machines()
        problems = {it.address: it.unconfined_because for it in machines if it.unconfined_because}
        problem = "; ".join(f"{address}: {why}" for address, why in problems.items())
        _insist(wish, problem)
        is_confined = wish.confine != "never" and not problem
        made = cluster.grade(pile.papers, app.course, app.options.device, wish.seed, is_confined)
        yield made, _confinement(is_confined, problem, f"On {len(machines)} workers. ")


def _insist(wish: GradeOptions, problem: str) -> None:
    if wish.confine == "always" and problem:
        raise TutorError(
            f"Submissions cannot be confined: {problem}.",
            "Nothing was run. Without --confine always they run unconfined.",
        )


def _confinement(is_confined: bool, problem: str, where: str = "") -> Confinement:
    if is_confined:
        says = "Confined by bubblewrap: no network, nowhere to write, no files but the lesson's."
    else:
        why = f": {problem}" if problem else ", as asked for"
        says = f"Not confined{why}. Submissions can do what you can; time and memory are limited."
    return Confinement(is_confined, where + says)


# ---------------------------------------------------------------- what comes of it


def _gather(app: App, made: Iterator[Grade], total: int) -> list[Grade]:
    """Wait for all grades; interrupted, say how far it came."""
    done: list[Grade] = []
    try:
        done.extend(_counted(app, made, total))
    except KeyboardInterrupt:
        app.warn(f"{len(done)} of {total} were graded; nothing was written.")
        raise
    return done


def _counted(app: App, made: Iterator[Grade], total: int) -> Iterator[Grade]:
    """Pass the grades on, with a bar on standard error where a person looks."""
    if app.options.plain or app.options.json or not app.stderr.isatty():
        yield from made
        return
    from rich.progress import track

    from jaxtutor.display.theme import make_console

    console = make_console(app.stderr, app.options.plain, app.environ)
    yield from track(made, "Grading", total=total, console=console, transient=True)


def _show(app: App, grades: Sequence[Grade], order: Sequence[str]) -> None:
    from jaxtutor.display.grades import grades_page

    for part in grades_page(grades, order, app.marks):
        app.console.print(part)


def _write(wish: GradeOptions, grades: Sequence[Grade]) -> TutorError | None:
    """Write the files asked for; give what kept them from being written."""
    from jaxtutor.core.reporting import junit
    from jaxtutor.core.reporting.grades import COLUMNS, as_cells
    from jaxtutor.storage import workspace

    files: list[tuple[Path, bytes]] = []
    if wish.csv:
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow(COLUMNS)
        writer.writerows(map(as_cells, grades))
        files.append((wish.csv, text.getvalue().encode()))
    if wish.junit:
        files.append((wish.junit, junit.write(grades)))
    try:
        for path, data in files:
            workspace.write_out(path, data)
    except TutorError as error:
        return error
    return None


def _report(
    folder: Path, confinement: Confinement, seconds: float, grades: Sequence[Grade]
) -> dict[str, object]:
    from jaxtutor.core.reporting.grades import STATUSES, as_row, count
    from jaxtutor.core.reporting.reports import SCHEMA

    counts = count(grades)
    return {
        "schema": SCHEMA,
        "folder": str(folder),
        "confined": confinement.holds,
        "confinement": confinement.says,
        "seconds": round(seconds, 4),
        "counts": {status: counts.get(status, 0) for status in STATUSES},
        "grades": [as_row(grade) for grade in grades],
    }
