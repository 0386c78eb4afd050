"""Notes submissions that are a file of the lesson, or the same program as another learner's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from msgspec.structs import replace

from jaxtutor.content.course import Course
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.data.sanitize import shorten
from jaxtutor.core.grading.file_names import natural
from jaxtutor.core.grading.fingerprint import Fingerprint, fingerprint
from jaxtutor.core.grading.grades import SubmittedFile
from jaxtutor.errors import TutorError

MOST_NAMES = 3
LONGEST_NAME = 60
"""Characters of a name in a note."""


@dataclass(frozen=True)
class _Given:
    """What a lesson's own files hold: texts with the note for each, and known programs."""

    texts: dict[str, str]
    programs: frozenset[str]
    starter: Fingerprint | None


def with_copies_noted(
    submissions: Sequence[SubmittedFile], course: Course, prints: Mapping[str, Fingerprint | None]
) -> Iterator[SubmittedFile]:
    """Add a note to each submission that has a file's text, or another learner's program.

    `prints` are the fingerprints of the texts.
    """
    handed_in = {it.lesson for it in submissions}
    given = {it.slug: _given(it) for it in course.lessons if it.slug in handed_in}

    def program(submission: SubmittedFile) -> str:
        """Return the digest of a program that is worth comparing, or an empty string."""
        found, known = prints[submission.source], given[submission.lesson]
        is_own = found and found.digest not in known.programs and found.is_telling(known.starter)
        return found.digest if found and is_own else ""

    handed_in_by: defaultdict[str, set[str]] = defaultdict(set)  # a group hands in one file
    for submission in submissions:
        handed_in_by[submission.file].add(submission.learner)
    texts = _alike(submissions, lambda it: it.source.strip())
    programs = _alike(submissions, program)
    for submission in submissions:
        text = submission.source.strip()
        own = handed_in_by[submission.file]
        same_text = texts[submission.lesson, text] - own
        same_program = programs[submission.lesson, program(submission)] - own
        note = given[submission.lesson].texts.get(text) or (
            f"the same text as {_some(same_text)}" if same_text else ""
        )
        if not note and program(submission) and same_program:
            note = f"the same program as {_some(same_program)}, but for names and comments"
        yield replace(submission, notes=(*submission.notes, note)) if note else submission


def _alike(
    submissions: Iterable[SubmittedFile], key: Callable[[SubmittedFile], str]
) -> dict[tuple[str, str], set[str]]:
    found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for submission in submissions:
        found[submission.lesson, key(submission)].add(submission.learner)
    return found


def _some(names: Iterable[str]) -> str:
    listed = [shorten(name, LONGEST_NAME) for name in sorted(names, key=natural)]
    more = f" and {len(listed) - MOST_NAMES} more" if len(listed) > MOST_NAMES else ""
    return ", ".join(listed[:MOST_NAMES]) + more


def _given(lesson: Lesson) -> _Given:
    """Read what a lesson comes with; grading reports a broken lesson."""
    texts: dict[str, str] = {}
    known: list[str] = []
    with suppress(TutorError):
        texts = {
            lesson.starter.strip(): "the starter, unchanged",
            lesson.solution.strip(): "the solution's text",
        }
        others = [f"also/{path.name}" for path in lesson.alternatives()]
        others += [f"mistakes/{path.name}" for path, _ in lesson.mistakes()]
        known = [*texts, *map(lesson.read, others)]
    prints = [fingerprint(text) for text in known]
    return _Given(texts, frozenset(it.digest for it in prints if it), prints[0] if prints else None)
