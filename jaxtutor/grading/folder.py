"""Owns the grading of a folder: files found, read, checked side by side, and never mixed up."""

from __future__ import annotations

import os
import stat
from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath

from msgspec.structs import replace

from jaxtutor.checking.lesson_check import Checker
from jaxtutor.content.course import Course, Lesson
from jaxtutor.core.data.sanitize import visible
from jaxtutor.core.reporting.grades import Grade, SubmittedFile, grade_of, ungraded
from jaxtutor.core.reporting.roster import LessonNames, RosterEntry, assign, doubles
from jaxtutor.errors import SubmissionError, TutorError, UsageError
from jaxtutor.processes.runner import Cancel
from jaxtutor.storage import workspace

OF_TOOLS = frozenset({"__pycache__", "node_modules", "site-packages"})
DESK = Path("/submission")
"""The folder that a submission is told it lies in, where it finds no other."""


@dataclass(frozen=True)
class SubmissionFolder:
    """What a folder holds: papers to be graded, and grades of what cannot be."""

    papers: tuple[SubmittedFile, ...]
    settled: tuple[Grade, ...]


# ---------------------------------------------------------------- from a folder to papers


def collect(folder: Path, course: Course, only: Lesson | None) -> SubmissionFolder:
    """Find the learners' files below a folder and read them. Raises UsageError."""
    found = sorted(_walk(folder, ()))
    if not found:
        raise UsageError(f"{folder} holds no Python files.", "Name the folder of the submissions.")
    names = [LessonNames(it.slug, it.folder.name, it.chapter_folder) for it in course.lessons]
    entries = assign(found, names, folder.resolve().name, only.slug if only else None)
    twice = doubles(entries)
    made = [_read(folder, it, (it.learner, it.lesson) in twice) for it in entries]
    papers = [it for it in made if isinstance(it, SubmittedFile)]
    settled = tuple(it for it in made if isinstance(it, Grade))
    given = {lesson.slug: _given(lesson) for lesson in course.lessons}
    return SubmissionFolder(tuple(_compared(papers, given)), settled)


def _walk(folder: Path, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the Python files below a folder; hidden folders and those of tools are passed over."""
    try:
        found = list(os.scandir(folder))
    except OSError as error:
        if above:
            return
        reason = workspace.explain(error)
        raise UsageError(
            f"{folder} could not be read: {reason}.", "Name the folder of the submissions."
        ) from error
    for entry in found:
        parts = (*above, entry.name)
        if entry.is_dir(follow_symlinks=False):
            if not _is_of_tools(entry):
                yield from _walk(Path(entry.path), parts)
        elif entry.name.endswith(".py") and not entry.name.startswith("."):
            yield parts


def _is_of_tools(entry: os.DirEntry[str]) -> bool:
    is_environment = (Path(entry.path) / "pyvenv.cfg").exists()
    return entry.name.startswith(".") or entry.name in OF_TOOLS or is_environment


def _read(folder: Path, entry: RosterEntry, is_double: bool) -> SubmittedFile | Grade:
    file = _on_one_line(str(PurePath(*entry.parts)))
    notes = ("one of several files for this lesson",) if is_double else ()
    paper = SubmittedFile(_on_one_line(entry.learner), entry.lesson or "", file, "", notes)
    if entry.lesson is None:
        return ungraded(paper, "unnamed", "It is named like no lesson's file.")
    path = folder.joinpath(*entry.parts)
    try:
        if stat.S_ISLNK(path.lstat().st_mode):
            return ungraded(paper, "unreadable", "It is a symbolic link, which is not followed.")
        text = workspace.read(path).text
    except (SubmissionError, OSError) as error:
        says = _on_one_line(str(error)).replace(_on_one_line(str(path)), "It")
        return ungraded(paper, "unreadable", says)
    return replace(paper, source=text)


def _on_one_line(name: str) -> str:
    """Show a name that may hold anything but a slash and a zero, so that no two become one."""
    told = os.fsencode(name).decode("utf-8", "backslashreplace")
    return visible(told).replace("\n", "\u240a")


def _given(lesson: Lesson) -> dict[str, str]:
    """Return what a learner had at hand, with what to say of it handed in again."""
    with suppress(TutorError):  # a broken lesson is said to be one when it is graded
        return {
            lesson.starter.strip(): "the starter, unchanged",
            lesson.solution.strip(): "the solution's text",
        }
    return {}


def _compared(
    papers: Sequence[SubmittedFile], given: Mapping[str, dict[str, str]]
) -> Iterator[SubmittedFile]:
    """Note which texts are as they were given, and which two learners handed in alike."""
    alike: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for paper in papers:
        alike[paper.lesson, paper.source.strip()].append(paper.learner)
    for paper in papers:
        text = paper.source.strip()
        others = sorted({name for name in alike[paper.lesson, text] if name != paper.learner})
        note = given[paper.lesson].get(text) or (
            f"the same text as {_some(others)}" if others else ""
        )
        yield replace(paper, notes=(*paper.notes, note) if note else paper.notes)


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


# ---------------------------------------------------------------- from papers to grades


def grade(
    checker: Checker, lesson: Lesson, paper: SubmittedFile, seed: int, cancel: Cancel
) -> Grade:
    """Grade one paper; what keeps it from being graded is said of it, and costs no other."""
    file = DESK / f"{lesson.folder.name}.py"
    try:
        verdict = checker.check(lesson, paper.source, file, cancel, seed)
    except TutorError as error:
        return ungraded(paper, "not_graded", f"{error.message} {error.remedy}".strip())
    if verdict is None:
        return ungraded(paper, "not_graded", "Interrupted.")
    return grade_of(paper, verdict)


def grade_here(
    papers: Sequence[SubmittedFile], course: Course, checker: Checker, jobs: int, seed: int = 0
) -> Generator[Grade, None, None]:
    """Grade papers on this machine, so many at a time; yield each as it is done."""
    lessons = {lesson.slug: lesson for lesson in course.lessons}
    cancel = Cancel()
    pool = ThreadPoolExecutor(max_workers=jobs)
    try:
        futures: list[Future[Grade]] = [
            pool.submit(grade, checker, lessons[paper.lesson], paper, seed, cancel)
            for paper in papers
        ]
        for done in as_completed(futures):
            yield done.result()
    finally:
        cancel()  # whoever stops listening ends what runs
        pool.shutdown(cancel_futures=True)
        cancel.close()


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1
