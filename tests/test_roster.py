"""Tests which learner and lesson a submitted file belongs to."""

from __future__ import annotations

import pytest

from jaxtutor.core.reporting.roster import LessonNames, Parts, assign, doubles

LESSONS = [
    LessonNames("clip", "01_clip", "01_basics"),
    LessonNames("safe-clip", "02_safe_clip", "01_basics"),
    LessonNames("scan", "01_scan", "02_loops"),
]


def assigned(*files: str, only: str | None = None) -> list[tuple[str, str | None]]:
    """Assign files in a folder, and return the learner and lesson of each."""
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
    """The learner is the folder or the file name's prefix; chapter folders are not learners."""
    assert [(learner, lesson)] == assigned(file)


def test_with_one_lesson_a_single_file_needs_no_name() -> None:
    """For a single lesson, a learner's only file needs no particular name."""
    assert [("ann", "scan"), ("bob", "scan")] == assigned("ann.py", "bob/main.py", only="scan")


def test_a_file_named_rightly_goes_before_one_that_is_not() -> None:
    """Next to a file with the lesson's name, other files are not submissions."""
    expected = [("ann", "scan"), ("ann", None)]
    assert expected == assigned("ann/scan.py", "ann/notes.py", only="scan")


def test_of_two_files_without_the_name_neither_is_taken() -> None:
    """Of two files without the lesson's name, neither is chosen."""
    assert [("ann", None), ("ann", None)] == assigned("ann/a.py", "ann/b.py", only="scan")


def test_files_for_other_lessons_are_left_out() -> None:
    """For a single lesson, files for other lessons are ignored."""
    assert [("ann", "scan")] == assigned("ann/scan.py", "ann/clip.py", only="scan")


def test_doubles_are_found() -> None:
    """Two files of one learner for one lesson are reported, but not those of two learners."""
    parts: list[Parts] = [("a", "scan.py"), ("a", "scan (1).py"), ("b", "scan.py"), ("b", "x.py")]
    assert {("a", "scan")} == doubles(assign(parts, LESSONS, "pile"))
