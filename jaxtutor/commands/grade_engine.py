"""Chooses where submissions are graded, here or on a cluster, and how they are confined."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.errors import TutorError

if TYPE_CHECKING:
    from jaxtutor.checks.lesson_check import Checker
    from jaxtutor.core.grading.grades import Grade, SubmittedFile
    from jaxtutor.grading.plan import GradingPlan
    from jaxtutor.processes.limits import Limits


@dataclass(frozen=True)
class Confinement:
    """Whether submissions are confined and how they are limited, and the sentence that says so."""

    holds: bool
    says: str
    limits: Limits | None = None


@dataclass(frozen=True)
class Engine:
    """Grades submissions. `key` names a grade in a journal, and `lost` the machines that ended."""

    grade: Callable[[Sequence[SubmittedFile]], Generator[Grade, None, None]]
    confinement: Confinement
    key: Callable[[SubmittedFile], str]
    lost: Callable[[], tuple[str, ...]] = tuple


@contextmanager
def open_engine(app: App, place: Path, plan: GradingPlan) -> Iterator[Engine]:
    """Yield what grades the submissions in `place`. Raises TutorError if it would be unsafe."""
    opened = _elsewhere(app, plan) if plan.scheduler else _here(app, place, plan)
    with opened as engine:
        yield engine


@contextmanager
def _here(app: App, place: Path, plan: GradingPlan) -> Iterator[Engine]:
    from jaxtutor.checks.lesson_check import unconfined
    from jaxtutor.grading.run import grade_here, processors
    from jaxtutor.processes import sandbox
    from jaxtutor.processes.limits import find_limits

    workspace = app.workspace
    private = (place, workspace.root, workspace.data, *plan.files)
    if plan.is_confined:
        found = sandbox.probe()
        _insist(found.problem, found.remedy)
        _insist(sandbox.find_clash(private, (app.course.folder,)), sandbox.MOVE)
        for folder in sandbox.withheld(private):
            app.warn(
                f"{folder} of PYTHONPATH is not readable to submissions: it holds private files."
            )
    wrap = partial(sandbox.wrap, private=private) if plan.is_confined else unconfined
    # Without `programs`: a submission that could write to that cache could answer for the next.
    checker = replace(app.checker, wrap=wrap, programs=None, export=True)
    jobs = plan.jobs or processors()

    def grade(submissions: Sequence[SubmittedFile]) -> Generator[Grade, None, None]:
        return grade_here(submissions, app.course, checker, jobs, plan.seed)

    yield Engine(
        grade,
        _confinement(plan.is_confined, limits=find_limits()),
        _keys(app, checker, plan),
    )


@contextmanager
def _elsewhere(app: App, plan: GradingPlan) -> Iterator[Engine]:
    from jaxtutor.grading.cluster import Cluster

    assert plan.scheduler is not None
    app.trust_course()
    with closing(Cluster(plan.scheduler)) as cluster:
        machines = cluster.machines()
        if plan.is_confined:
            problems = {it.address: it.unconfined_because for it in machines}
            printed = [f"{address}: {why}" for address, why in problems.items() if why]
            _insist("; ".join(printed), "Install bubblewrap on every machine of the cluster.")

        def grade(submissions: Sequence[SubmittedFile]) -> Generator[Grade, None, None]:
            device, seed = app.options.device, plan.seed
            return cluster.grade(submissions, app.course, device, seed, plan.is_confined)

        yield Engine(
            grade,
            _confinement(plan.is_confined, f"On {len(machines)} workers. "),
            _keys(app, replace(app.checker, export=True), plan),
            lambda: cluster.lost(machines),
        )


def _keys(app: App, checker: Checker, plan: GradingPlan) -> Callable[[SubmittedFile], str]:
    """Return what names a grade: the same text may be graded otherwise in other surroundings."""
    from jaxtutor.grading.journal import key_of

    lessons = {lesson.slug: lesson for lesson in app.course.lessons}
    surroundings = f"{'confined' if plan.is_confined else 'open'} {plan.scheduler or ''}"
    digest = cache(lambda slug: checker.digest(lessons[slug], plan.seed))
    return lambda submission: key_of(submission, digest, surroundings)


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
