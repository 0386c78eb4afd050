"""Implements `grade`: checks a folder of learners' files and reports to an instructor."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import NOT_PASSED, PASSED
from jaxtutor.errors import TutorError, UsageError

if TYPE_CHECKING:
    from jaxtutor.core.reporting.grades import Grade
    from jaxtutor.grading.folder import SubmissionFolder
    from jaxtutor.processes.limits import Limits


LARGEST_SEED = (1 << 63) - 1
"""Workers receive the seed as a number of 64 bits."""


CONFINE_HELP = "See: jaxtutor grade --help"


@dataclass(frozen=True)
class GradeOptions:
    """The options of `grade`."""

    lesson: str | None = None
    csv: Path | None = None
    junit: Path | None = None
    jobs: int = 0
    confine: str = "always"
    scheduler: str | None = None
    seed: int = 0


@dataclass(frozen=True)
class Confinement:
    """Whether submissions are confined and how they are limited, and the sentence that says so."""

    holds: bool
    says: str
    limits: Limits | None = None


def grade(app: App, folder: Path, chosen: GradeOptions) -> int:
    """Grade a folder of learners' files and return the exit status."""
    from jaxtutor.core.reporting.grades import in_order
    from jaxtutor.grading.folder import collect

    _validate(chosen.confine)
    if chosen.seed > LARGEST_SEED:
        raise UsageError(f"The seed {chosen.seed} is too large.", f"At most it is {LARGEST_SEED}.")
    only = app.course.find(chosen.lesson) if chosen.lesson else None
    pile = collect(folder, app.course, only)
    started = time.monotonic()
    with _engine(app, folder, chosen, pile) as (made, confinement):
        if not app.options.json and confinement.holds:
            app.warn(confinement.says)
        done = _gather(app, made, len(pile.submissions))
    order = [lesson.slug for lesson in app.course.lessons]
    grades = in_order([*pile.settled, *done], order)
    problem = _write(chosen, grades, confinement)
    if app.options.json:
        app.print_json(_report(folder, confinement, time.monotonic() - started, grades))
    else:
        _show(app, grades, order, confinement)
    if problem:  # the table is shown all the same: a full disk must not cost minutes of grading
        app.warn(problem.message, problem.remedy)
        return problem.status
    return _status_of(grades)


def _validate(confine: str) -> None:
    if confine == "auto":
        raise UsageError(
            "--confine auto is no longer offered: it ran submissions unconfined without asking.",
            "Choose always, the default, or never to run them with your rights.",
        )
    if confine not in ("always", "never"):
        raise UsageError(f"Invalid value {confine!r}. Choose always or never.", CONFINE_HELP)


def _status_of(grades: Sequence[Grade]) -> int:
    from jaxtutor.core.reporting.grades import is_clean

    if any(grade.status in ("lesson_at_fault", "not_graded") for grade in grades):
        return TutorError.status
    return PASSED if is_clean(grades) else NOT_PASSED


# ---------------------------------------------------------------- here or elsewhere


@contextmanager
def _engine(
    app: App, folder: Path, chosen: GradeOptions, pile: SubmissionFolder
) -> Iterator[tuple[Iterator[Grade], Confinement]]:
    """Yield the grades as they are made, and how submissions are confined."""
    if chosen.scheduler:
        with _elsewhere(app, chosen, pile) as made:
            yield made
        return
    from jaxtutor.checking.lesson_check import unconfined
    from jaxtutor.grading.folder import grade_here, processors
    from jaxtutor.processes import sandbox
    from jaxtutor.processes.limits import find_limits

    is_confined = chosen.confine == "always"
    if is_confined:
        found = sandbox.probe()
        _insist(found.problem, found.remedy)
        for place in sandbox.withheld((folder.absolute(),)):
            app.warn(
                f"{place} of PYTHONPATH is not readable to submissions: it holds private files."
            )
    wrap = partial(sandbox.wrap, private=(folder.absolute(),)) if is_confined else unconfined
    # Without `programs`: a submission that could write to that cache could answer for the next.
    checker = replace(app.checker, wrap=wrap, programs=None, export=True)
    jobs = chosen.jobs or processors()
    with closing(grade_here(pile.submissions, app.course, checker, jobs, chosen.seed)) as made:
        yield made, _confinement(is_confined, limits=find_limits())


@contextmanager
def _elsewhere(
    app: App, chosen: GradeOptions, pile: SubmissionFolder
) -> Iterator[tuple[Iterator[Grade], Confinement]]:
    from jaxtutor.grading.cluster import Cluster

    assert chosen.scheduler is not None
    app.trust_course()
    with closing(Cluster(chosen.scheduler)) as cluster:
        machines = cluster.machines()
        is_confined = chosen.confine == "always"
        if is_confined:
            problems = {it.address: it.unconfined_because for it in machines}
            printed = [f"{address}: {why}" for address, why in problems.items() if why]
            _insist("; ".join(printed), "Install bubblewrap on every machine of the cluster.")
        made = cluster.grade(
            pile.submissions, app.course, app.options.device, chosen.seed, is_confined
        )
        yield made, _confinement(is_confined, f"On {len(machines)} workers. ")


def _insist(problem: str, remedy: str) -> None:
    if problem:
        raise TutorError(
            f"Submissions cannot be confined: {problem}. Nothing was run.",
            f"{remedy}\nIf you trust the submissions with your files and your network: "
            "--confine never",
        )


def _confinement(is_confined: bool, where: str = "", limits: Limits | None = None) -> Confinement:
    if is_confined:
        says = "Confined by bubblewrap: no network, nowhere to write, no files but the lesson's."
    else:
        says = "Not confined (--confine never): submissions can do anything that you can."
    printed = f" {limits.sentence}" if limits else ""
    return Confinement(is_confined, where + says + printed, limits)


# ---------------------------------------------------------------- output


def _gather(app: App, made: Iterator[Grade], total: int) -> list[Grade]:
    """Wait for all grades; if interrupted, report how many were made."""
    done: list[Grade] = []
    try:
        done.extend(_counted(app, made, total))
    except KeyboardInterrupt:
        app.warn(f"{len(done)} of {total} were graded; nothing was written.")
        raise
    return done


def _counted(app: App, made: Iterator[Grade], total: int) -> Iterator[Grade]:
    """Pass the grades on, with a progress bar if standard error is a terminal."""
    if app.options.plain or app.options.json or not app.stderr.isatty():
        yield from made
        return
    from rich.progress import track

    from jaxtutor.display.theme import make_console

    console = make_console(app.stderr, app.options.plain, app.environ)
    yield from track(made, "Grading", total=total, console=console, transient=True)


def _show(
    app: App, grades: Sequence[Grade], order: Sequence[str], confinement: Confinement
) -> None:
    from jaxtutor.display.grades import grades_page

    if not confinement.holds:
        app.console.print(confinement.says)
    for part in grades_page(grades, order, app.marks):
        app.console.print(part)


def _write(
    chosen: GradeOptions, grades: Sequence[Grade], confinement: Confinement
) -> TutorError | None:
    """Write the requested files; return the error that prevented it."""
    from jaxtutor.core.reporting import junit
    from jaxtutor.core.reporting.grades import COLUMNS, as_cells
    from jaxtutor.storage import workspace

    files: list[tuple[Path, bytes]] = []
    if chosen.csv:
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow([*COLUMNS, "confined"])
        confined = "yes" if confinement.holds else "no"
        writer.writerows([*as_cells(grade), confined] for grade in grades)
        files.append((chosen.csv, text.getvalue().encode()))
    if chosen.junit:
        files.append((chosen.junit, junit.write(grades, confinement.says)))
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
        "limits": {
            "tasks": confinement.limits.tasks if confinement.limits else None,
            "memory": confinement.limits.memory if confinement.limits else None,
        },
        "seconds": round(seconds, 4),
        "counts": {status: counts.get(status, 0) for status in STATUSES},
        "grades": [as_row(grade) for grade in grades],
    }
