"""Tests the file with which a run of grading goes on."""

from __future__ import annotations

import errno
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from jaxtutor.core.grading.grades import Grade, SubmittedFile
from jaxtutor.errors import CourseError, TutorError, UsageError
from jaxtutor.grading import journal
from jaxtutor.grading.journal import Journal, key_of

PASSED = Grade("ann", "clip", "ann/clip.py", "passed", "passed", notes=("late",))
FAILED = Grade("bob", "clip", "bob/clip.py", "failed", "wrong\nin two lines")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.jsonl"


def test_grades_are_found_again(path: Path) -> None:
    """A later run finds what earlier ones stored."""
    Journal(path).add("a", PASSED)
    Journal(path).add("b", FAILED)
    again = Journal(path)

    assert (PASSED, FAILED, None) == (again.find("a"), again.find("b"), again.find("c"))


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_line_that_was_cut_off_costs_that_grade_only(path: Path, cut: int) -> None:
    """A run that is killed while it writes loses one grade, and the next run writes on."""
    kept = Journal(path)
    kept.add("a", PASSED)
    kept.add("b", FAILED)
    path.write_bytes(path.read_bytes()[:-cut])
    Journal(path).add("c", FAILED)
    again = Journal(path)

    assert (PASSED, None, FAILED) == (
        again.find("a"),
        again.find("b") if cut > 1 else None,
        again.find("c"),
    )


def test_what_may_change_is_not_stored(path: Path) -> None:
    """A lesson may be mended, and a machine come back."""
    Journal(path).add("a", Grade("ann", "clip", "f", "not_graded", "The cluster was lost."))
    assert Journal(path).find("a") is None


def test_two_runs_may_share_a_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each waits for the other, so that the file has one header and whole lines."""
    append = journal._append

    def append_slowly(*arguments: Any) -> None:
        time.sleep(0.01)
        append(*arguments)

    monkeypatch.setattr(journal, "_append", append_slowly)

    def run(name: str) -> None:
        made = Journal(path)
        for number in range(10):
            made.add(f"{name}{number}", PASSED)

    with ThreadPoolExecutor() as pool:
        list(pool.map(run, "abcd"))

    assert 1 + 40 == path.read_bytes().count(b"\n")
    assert all(Journal(path).find(f"{name}{n}") for name in "abcd" for n in range(10))


def test_another_file_is_not_touched(path: Path) -> None:
    """A wrong name must not cost a table."""
    path.write_text("learner,lesson\nann,clip\n")
    with pytest.raises(UsageError, match="is not a file that --resume wrote"):
        Journal(path)
    assert "learner,lesson\nann,clip\n" == path.read_text()


def test_a_full_disk_leaves_whole_lines(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written in part is taken back."""
    kept = Journal(path)
    kept.add("a", PASSED)
    before = path.read_bytes()
    write = os.write

    def full(handle: int, data: bytes) -> int:
        if len(data) < 100:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, data[:90])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(TutorError, match="the disk is full"):
        kept.add("b", FAILED)
    assert before == path.read_bytes()


def key(source: str = "x", digest: str = "d", surroundings: str = "confined") -> str:
    return key_of(SubmittedFile("ann", "clip", "f", source), lambda slug: digest, surroundings)


def test_a_key_is_of_text_lesson_and_surroundings() -> None:
    """A changed file, a changed lesson or an unconfined run is graded again."""
    assert 4 == len({key(), key("y"), key(digest="e"), key(surroundings="open")})


def test_a_broken_lesson_has_no_key() -> None:
    """It is graded when it is mended."""

    def broken(slug: str) -> str:
        raise CourseError(slug)

    assert "" == key_of(SubmittedFile("ann", "clip", "f", "x"), broken, "")
