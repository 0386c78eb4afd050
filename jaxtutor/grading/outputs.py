"""Writes the tables and pages of a run of `grade`, each file in one step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jaxtutor.content.course import Course
from jaxtutor.core.grading import exports, feedback, junit
from jaxtutor.core.grading.grades import Grade
from jaxtutor.core.grading.points import Points
from jaxtutor.errors import TutorError
from jaxtutor.grading.folder import SubmissionFolder
from jaxtutor.grading.plan import Outputs
from jaxtutor.storage import workspace


@dataclass(frozen=True)
class Graded:
    """The result of a run: all grades in order, with what the outputs say about them."""

    grades: Sequence[Grade]
    points: Points
    pile: SubmissionFolder
    is_confined: bool
    confinement: str
    seconds: float


def write_outputs(wanted: Outputs, graded: Graded, course: Course) -> list[TutorError]:
    """Write the files. Return the errors: a file that fails does not prevent the others.

    A file is replaced as a whole, so that an earlier one is not damaged by a full disk.
    """
    errors = []
    for path, make in _files(wanted, graded, course):
        try:
            workspace.write_out(path, make())
        except TutorError as error:
            errors.append(error)
    return errors


def _files(
    wanted: Outputs, graded: Graded, course: Course
) -> Iterator[tuple[Path, Callable[[], bytes]]]:
    """Yield the path of each file, and how its contents are made."""
    grades, points = graded.grades, graded.points
    learners = exports.by_learner(grades, graded.pile.students)
    if wanted.csv:
        yield wanted.csv, lambda: exports.as_csv(grades, graded.is_confined)
    if wanted.junit:
        yield wanted.junit, lambda: junit.write(grades, graded.confinement)
    if wanted.canvas:
        yield wanted.canvas, lambda: exports.as_canvas(learners, points)
    if wanted.moodle:
        yield wanted.moodle, lambda: exports.as_moodle(learners, points)
    if wanted.gradescope:
        yield wanted.gradescope, lambda: exports.as_gradescope(grades, points, graded.seconds)
    if wanted.feedback:
        yield from _pages(wanted.feedback, learners, graded, course)


def _pages(
    folder: Path, learners: Sequence[exports.LearnerGrades], graded: Graded, course: Course
) -> Iterator[tuple[Path, Callable[[], bytes]]]:
    names = feedback.page_names([it.name for it in learners], graded.pile.prefixes)
    sources = {it.file: it.source for it in graded.pile.submissions}
    graded_lessons = {grade.lesson for grade in graded.grades}
    titles = {
        it.slug: _title(it.slug, course) for it in course.lessons if it.slug in graded_lessons
    }
    for learner in learners:

        def make(learner: exports.LearnerGrades = learner) -> bytes:
            return feedback.page(learner, graded.points, titles, sources).encode()

        yield folder / names[learner.name], make


def _title(slug: str, course: Course) -> str:
    try:
        return course.find(slug).info.title
    except TutorError:  # a broken lesson, which its grades say
        return slug
