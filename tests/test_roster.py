"""Owns the tests of whose file is whose."""

from __future__ import annotations

import pytest

from jaxtutor.core.reporting.roster import LessonNames, Parts, assign, doubles

LESSONS = [
    LessonNames("clip", "01_clip", "01_basics"),
    LessonNames("safe-clip", "02_safe_clip", "01_basics"),
    LessonNames("scan", "01_scan", "02_loops"),
]


def told(*files: str, only: str | None = None) -> list[tuple[str, str | None]]:
    """Assign files in a folder called `pile`; give the learner and lesson of each."""
    parts: list[Parts] = [tuple(file.split("/")) for file in files]
    return [(entry.learner, entry.lesson) for entry in assign(parts, LESSONS, "pile", only)]


@pytest.mark.parametrize(
    ("file", "learner", "lesson"),
    [
        ("ann/01_basics/01_clip.py", "ann", "clip"),
        ("ann/01_clip.py", "ann", "clip"),
        ("ann/clip.py", "ann", "clip"),
        ("ann/Safe-Clip.py", "ann", "safe-clip"),
        ("ann/deep/er/safe_clip.py", "ann", "safe-clip"),
        ("01_basics/01_clip.py", "pile", "clip"),
        ("01_clip.py", "pile", "clip"),
        ("ann_01_clip.py", "ann", "clip"),
        ("Ann Lee_4711_scan.py", "Ann Lee_4711", "scan"),
        ("ann_safe_clip.py", "ann", "safe-clip"),
        ("ann/bob_scan.py", "ann", "scan"),
        ("ann/scan (1).py", "ann", "scan"),
        ("ann/scan copy.py", "ann", "scan"),
        ("ann/solution.py", "ann", None),
        ("ann.py", "ann", None),
        ("ann/myclip.py", "ann", None),
    ],
)
def test_a_path_tells_learner_and_lesson(file: str, learner: str, lesson: str | None) -> None:
    """The folder or what stands before the lesson's name is the learner; chapters are nobody."""
    assert [(learner, lesson)] == told(file)


def test_with_one_lesson_a_single_file_needs_no_name() -> None:
    """Asked for one lesson, a learner's only file is for it."""
    assert [("ann", "scan"), ("bob", "scan")] == told("ann.py", "bob/main.py", only="scan")


def test_a_file_named_rightly_goes_before_one_that_is_not() -> None:
    """What lies beside a file named like the lesson is not taken for it."""
    expected = [("ann", "scan"), ("ann", None)]
    assert expected == told("ann/scan.py", "ann/notes.py", only="scan")


def test_of_two_files_without_the_name_neither_is_taken() -> None:
    """Which of two is meant is not guessed."""
    assert [("ann", None), ("ann", None)] == told("ann/a.py", "ann/b.py", only="scan")


def test_files_for_other_lessons_are_left_out() -> None:
    """Asked for one lesson, the others are not of interest."""
    assert [("ann", "scan")] == told("ann/scan.py", "ann/clip.py", only="scan")


def test_doubles_are_found() -> None:
    """Two files of one learner for one lesson are told; of two learners they are not."""
    parts: list[Parts] = [("a", "scan.py"), ("a", "scan (1).py"), ("b", "scan.py"), ("b", "x.py")]
    assert {("a", "scan")} == doubles(assign(parts, LESSONS, "pile"))
