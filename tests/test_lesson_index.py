"""Tests the index of a course: a lesson that changed is parsed again, whatever its times say."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxtutor.content import lesson, lesson_index
from jaxtutor.content.course import Course
from jaxtutor.content.loading import load_course
from jaxtutor.core.data.lessons import LessonInfo, read_info
from trials.sample_lessons import INFO, make_lesson

Titles = Callable[[], tuple[list[str], int]]
"""Returns the titles, and how many lessons were parsed for them."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a course of two lessons, written some time ago."""
    monkeypatch.setattr(lesson_index, "UNSETTLED", -1)
    for name in ("01_one", "02_two"):
        make_lesson(tmp_path / "course" / "01_basics" / name, {"lesson.toml": INFO})
    return tmp_path / "course"


@pytest.fixture
def read(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Titles:
    """Return a function that loads the course with its index."""
    parsed: list[str] = []

    def count(text: str) -> LessonInfo:
        parsed.append(text)
        return read_info(text)

    monkeypatch.setattr(lesson, "read_info", count)

    def titles() -> tuple[list[str], int]:
        parsed.clear()
        course: Course = load_course(folder)
        lesson_index.fill(course, tmp_path / "pages")
        found = ["" if lesson.fault else lesson.info.title for lesson in course.lessons]
        return found, len(parsed)

    return titles


def stored(tmp_path: Path) -> Path:
    """Return the file of the index."""
    (found,) = (tmp_path / "pages").glob("*.msgpack")
    return found


def test_a_course_is_parsed_once(read: Titles) -> None:
    """The second time, no lesson is parsed."""
    first, second = read(), read()

    assert (["Double it", "Double it"], 2) == first
    assert (first[0], 0) == second


def test_an_edit_of_the_same_size_and_time_is_seen(read: Titles, folder: Path) -> None:
    """A file that is written with the same size, and given the old times, is parsed again."""
    read()
    path = folder / "01_basics" / "01_one" / "lesson.toml"
    status = path.stat()
    path.write_text(INFO.replace("Double it", "Triple it"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    assert (["Triple it", "Double it"], 1) == read()


def test_a_replaced_file_is_seen(read: Titles, folder: Path) -> None:
    """A file that is renamed over the old one, as editors save, is parsed again."""
    path = folder / "01_basics" / "02_two" / "lesson.toml"
    other = path.with_name("new")
    other.write_text(INFO.replace("Double it", "Halve it"))
    status = path.stat()
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    read()
    other.replace(path)

    assert (["Double it", "Halve it"], 1) == read()


def test_a_touched_file_is_parsed_again(read: Titles, folder: Path) -> None:
    """A new time alone makes the entry invalid, and the answer stays right."""
    read()
    (folder / "01_basics" / "01_one" / "lesson.toml").touch()

    assert (["Double it", "Double it"], 1) == read()
    assert 0 == read()[1]


def test_a_lesson_that_breaks_is_reported(read: Titles, folder: Path) -> None:
    """A file that no longer parses, or is gone, makes its lesson broken."""
    read()
    (folder / "01_basics" / "01_one" / "lesson.toml").write_text("title = ")
    (folder / "01_basics" / "02_two" / "lesson.toml").unlink()

    assert ["", ""] == read()[0]


def test_another_file_that_goes_is_noticed(read: Titles, folder: Path) -> None:
    """The lesson's folder shows which other files exist; they are not examined one by one."""
    read()
    (folder / "01_basics" / "01_one" / "starter.py").unlink()

    assert ["", "Double it"] == read()[0]


def test_a_recent_file_is_not_stored(read: Titles, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file may change twice within one tick of the clock, so a recent one is not stored."""
    monkeypatch.setattr(lesson_index, "UNSETTLED", 10**12)
    read()

    assert 2 == read()[1]


@pytest.mark.parametrize("damage", [b"", b"\xc1", b"\x93\x90\xa0\x80", b"\x00" * 4000])
def test_a_damaged_index_is_ignored(read: Titles, tmp_path: Path, damage: bytes) -> None:
    """Any content of the file gives the right answer, and the file is written again."""
    read()
    stored(tmp_path).write_bytes(damage)

    assert (["Double it", "Double it"], 2) == read()
    assert 0 == read()[1]


def test_a_truncated_index_is_ignored(read: Titles, tmp_path: Path) -> None:
    """The beginning of an index is not an index."""
    read()
    path = stored(tmp_path)
    path.write_bytes(path.read_bytes()[:-9])

    assert (["Double it", "Double it"], 2) == read()


def test_an_index_of_another_version_is_ignored(
    read: Titles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another version may parse in another way."""
    read()
    monkeypatch.setattr(lesson_index, "__version__", "0.0.0")

    assert 2 == read()[1]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
def test_another_user_s_index_is_ignored(read: Titles, tmp_path: Path) -> None:
    """A file that another user owns is not believed."""
    read()
    os.chown(stored(tmp_path), 65534, 65534)

    assert 2 == read()[1]


def test_without_a_folder_every_lesson_is_parsed(read: Titles, tmp_path: Path) -> None:
    """Where nothing can be written, the answer is the same."""
    (tmp_path / "pages").write_text("a file")

    assert (["Double it", "Double it"], 2) == read() == read()
