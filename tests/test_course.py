"""Tests how a course is read from disk: its lessons, their names and order, and its faults."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from jaxtutor.content.course import Course
from jaxtutor.content.lesson import FILES
from jaxtutor.content.loading import load_course
from jaxtutor.core.data.lessons import Expectation
from jaxtutor.errors import CourseError, UnknownLesson

INFO = """
title = "TITLE"
function = "f"
difficulty = "easy"
minutes = 5
new = "New."
hints = ["one", "two", "three"]
"""


def make(folder: Path, *lessons: str) -> Path:
    """Create lessons at the given paths and return the course's folder."""
    for lesson in lessons:
        (folder / lesson).mkdir(parents=True)
        for name in FILES:
            (folder / lesson / name).write_text("")
        (folder / lesson / "lesson.toml").write_text(INFO.replace("TITLE", lesson))
    return folder


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """Return a course of two chapters and four lessons."""
    return load_course(
        make(
            tmp_path,
            "02_jit/10_static_shapes",
            "02_jit/01_make_it_fast",
            "02_jit/02_jit_with_static_n",
            "01_arrays/01_first_array",
        )
    )


# ---------------------------------------------------------------- order and titles


def test_lessons_come_in_the_order_of_their_numbers(course: Course) -> None:
    """Lessons are ordered by chapter number, then by their own number, numerically."""
    assert [
        ("1.1", "first-array"),
        ("2.1", "make-it-fast"),
        ("2.2", "jit-with-static-n"),
        ("2.10", "static-shapes"),
    ] == [(lesson.number, lesson.slug) for lesson in course.lessons]


def test_a_lesson_knows_its_neighbours(course: Course) -> None:
    """The next and previous lessons cross chapters, and are None at the ends of the course."""
    first, second, *_, last = course.lessons

    assert second == course.after(first)
    assert first == course.after(second, -1)
    assert course.after(last) is None
    assert course.after(first, -1) is None


def test_a_lesson_belongs_to_its_chapter(course: Course) -> None:
    """A chapter without a page takes its folder's name as title."""
    lesson = course.find("make-it-fast")

    assert ("Jit", "02_jit") == (course.chapter_of(lesson).title, lesson.chapter_folder)


def test_a_chapters_title_is_its_heading(course: Course) -> None:
    """The first heading of chapter.md is the chapter's title."""
    (course.folder / "02_jit" / "chapter.md").write_text("# jit: trace once\n\nMore.\n")

    assert "jit: trace once" == load_course(course.folder).chapters[1].title


def test_other_files_and_folders_are_no_lessons(course: Course) -> None:
    """Drafts, caches, notes and folders without lesson.toml are ignored."""
    for name in ("drafts", "__pycache__", "03 spaces", "02_jit/99_empty", "02_jit/xx_no_number"):
        (course.folder / name).mkdir()
    (course.folder / "04_a_file").write_text("")

    assert course.lessons == load_course(course.folder).lessons


# ---------------------------------------------------------------- finding a lesson


@pytest.mark.parametrize(
    ("typed", "slug"),
    [
        ("jit-with-static-n", "jit-with-static-n"),
        ("jit_with_static_n", "jit-with-static-n"),
        ("02_jit_with_static_n.py", "jit-with-static-n"),
        ("JIT-With-Static-N", "jit-with-static-n"),
        (" make-it-fast ", "make-it-fast"),
        ("2.2", "jit-with-static-n"),
        ("2.10", "static-shapes"),
        ("fast", "make-it-fast"),
        ("static-n", "jit-with-static-n"),
    ],
)
def test_a_lesson_is_found(course: Course, typed: str, slug: str) -> None:
    """A lesson is found by slug, file, number, or an unambiguous part of its slug."""
    assert slug == course.find(typed).slug


@pytest.mark.parametrize("typed", ["1", "01", "3"])
def test_a_number_alone_is_a_part_of_no_name(tmp_path: Path, typed: str) -> None:
    """`1` means a chapter, and finds no lesson whose name has the digit."""
    course = load_course(make(tmp_path, "02_a/01_log1pexp", "02_a/02_v01"))

    with pytest.raises(UnknownLesson):
        course.find(typed)
    assert course.find_part(typed) is None


def test_a_chapter_is_found_by_its_number(course: Course) -> None:
    """The number of a chapter finds the chapter, before any lesson."""
    assert course.chapters[1] == course.find_part(" 2 ") == course.find_part("02")
    assert course.find_part("2.1") is None


def test_a_whole_name_wins_over_a_part(tmp_path: Path) -> None:
    """A complete name takes precedence over a part of another name."""
    course = load_course(make(tmp_path, "01_a/01_jit", "01_a/02_jit_more"))

    assert "jit" == course.find("jit").slug


def test_a_part_of_several_names_them(course: Course) -> None:
    """An ambiguous part lists the lessons that contain it."""
    with pytest.raises(UnknownLesson) as raised:
        course.find("static")

    assert "'static' could be any of jit-with-static-n, static-shapes." == raised.value.message


def test_a_misspelt_name_gets_a_suggestion(course: Course) -> None:
    """A misspelled name gets the nearest names as suggestions."""
    with pytest.raises(UnknownLesson) as raised:
        course.find("mkae-it-fast")

    assert "There is no lesson 'mkae-it-fast'." == raised.value.message
    assert "Did you mean make-it-fast?" == raised.value.remedy


@pytest.mark.parametrize(
    "typed", ["", "  ", "xyzzy", "9.9", "2", "../../etc/passwd", "%s", "\x1b[31m"]
)
def test_nonsense_is_reported_where_to_look(course: Course, typed: str) -> None:
    """A name without near matches refers to the list of lessons."""
    with pytest.raises(UnknownLesson) as raised:
        course.find(typed)

    assert 2 == raised.value.status
    assert "See: jaxtutor list" == raised.value.remedy


def test_two_lessons_of_one_number_are_both_named(tmp_path: Path) -> None:
    """A number shared by two folders finds neither; their names still work."""
    course = load_course(make(tmp_path, "01_a/01_one", "01_a/01_two"))

    with pytest.raises(UnknownLesson, match="could be any of one, two"):
        course.find("1.1")
    assert "two" == course.find("two").slug


# ---------------------------------------------------------------- broken courses


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    """A missing folder is an error, not an empty course."""
    with pytest.raises(CourseError, match="is not a folder"):
        load_course(tmp_path / "nowhere")


def test_a_folder_without_lessons_is_reported(tmp_path: Path) -> None:
    """The error for a folder without lessons describes the layout of a course."""
    with pytest.raises(CourseError) as raised:
        load_course(tmp_path)

    assert "holds no lessons" in raised.value.message
    assert "lesson.toml" in raised.value.remedy


def test_a_broken_lesson_breaks_alone(course: Course) -> None:
    """A broken lesson reports its fault, and the other lessons can be read."""
    (course.find("1.1").folder / "lesson.toml").write_text("title = 3")
    again = load_course(course.folder)

    assert "02_jit/01_make_it_fast" == again.find("2.1").info.title
    with pytest.raises(CourseError, match=r"The lesson first-array is broken: lesson\.toml"):
        _ = again.find("1.1").info


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"])
def test_a_file_that_cannot_be_read_is_named(course: Course, content: bytes | None) -> None:
    """A page that is missing or is not text is reported as the course's fault."""
    lesson = course.find("1.1")
    (lesson.folder / "lesson.md").unlink()
    if content is not None:
        (lesson.folder / "lesson.md").write_bytes(content)

    with pytest.raises(CourseError, match=r"The lesson first-array is broken: lesson\.md"):
        _ = lesson.page


def test_a_mistake_with_a_wrong_first_line_is_named(course: Course) -> None:
    """A mistake with an invalid first line is named, with the valid form of that line."""
    lesson = course.find("1.1")
    (lesson.folder / "mistakes").mkdir()
    (lesson.folder / "mistakes" / "good.py").write_text("# expects: check values\n")
    (lesson.folder / "mistakes" / "odd.py").write_text("import jax\n")

    mistakes = lesson.mistakes()
    path, expectation = next(mistakes)
    assert ("good.py", Expectation(check="values")) == (path.name, expectation)
    with pytest.raises(CourseError, match=r"mistakes/odd\.py, line 1: it must be"):
        next(mistakes)


# ---------------------------------------------------------------- links and paths


def test_folders_that_are_links_are_not_followed(course: Course, tmp_path: Path) -> None:
    """A link to a chapter or a lesson elsewhere is not part of the course."""
    elsewhere = make(tmp_path.with_name(tmp_path.name + "-elsewhere"), "05_x/01_outside")
    (course.folder / "05_x").symlink_to(elsewhere / "05_x")
    (course.folder / "02_jit" / "05_outside").symlink_to(elsewhere / "05_x" / "01_outside")

    assert course.lessons == load_course(course.folder).lessons


def test_files_that_lead_out_are_not_read(course: Course, tmp_path: Path) -> None:
    """A page that is a link to a file outside the lesson is refused."""
    secret = tmp_path.with_name(tmp_path.name + "-secret")
    secret.write_text("private")
    lesson = course.find("1.1")
    (lesson.folder / "lesson.md").unlink()
    (lesson.folder / "lesson.md").symlink_to(secret)

    with pytest.raises(CourseError, match=r"lesson\.md leads out of it"):
        _ = lesson.page


def test_mistakes_that_lead_out_are_not_read(course: Course, tmp_path: Path) -> None:
    """A link to a folder of mistakes outside the lesson is refused."""
    elsewhere = tmp_path.with_name(tmp_path.name + "-mistakes")
    elsewhere.mkdir()
    (elsewhere / "a.py").write_text("# expects: check values\n")
    lesson = course.find("1.1")
    (lesson.folder / "mistakes").symlink_to(elsewhere)

    with pytest.raises(CourseError, match="leads out of it"):
        list(lesson.mistakes())


def test_a_name_cannot_climb(course: Course) -> None:
    """A name that contains `..` finds nothing outside the course."""
    with pytest.raises(CourseError, match="leads out of it"):
        course.find("1.1").read("../../02_jit/01_make_it_fast/lesson.toml")


def test_a_course_may_itself_be_reached_by_a_link(course: Course, tmp_path: Path) -> None:
    """A course that is itself reached through a link is read."""
    link = tmp_path.with_name(tmp_path.name + "-link")
    link.symlink_to(course.folder)

    assert "01_arrays/01_first_array" == load_course(link).find("1.1").info.title


# ---------------------------------------------------------------- the built-in course


def test_the_built_in_course_is_whole() -> None:
    """Every built-in lesson can be read, and its names are unique."""
    course = load_course(None)
    slugs = [lesson.slug for lesson in course.lessons]

    assert sorted(set(slugs)) == sorted(slugs)
    assert all(lesson.info.title for lesson in course.lessons)
    assert all(course.find(lesson.number) == lesson for lesson in course.lessons)


# ---------------------------------------------------------------- incomplete courses


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("lesson.toml", None, "lesson.toml is missing"),
        ("checks.py", None, "checks.py is missing"),
        ("lesson.toml", "title = 1\n", "lesson.toml"),
        ("lesson.toml", "title = \n", "lesson.toml, line 1: "),
        ("lesson.toml", "x" * (1 << 20 | 1), "lesson.toml is larger than 1 MiB"),
        ("checks.py", "x" * (1 << 20 | 1), "checks.py is larger than 1 MiB"),
    ],
)
def test_a_broken_lesson_knows_its_fault(
    tmp_path: Path, name: str, text: str | None, fault: str
) -> None:
    """A broken lesson stays in the course, and raises with a remedy when it is used."""
    folder = make(tmp_path, "01_a/01_one", "01_a/02_two")
    (folder / "01_a/01_one" / name).unlink()
    if text is not None:
        (folder / "01_a/01_one" / name).write_text(text)
    broken, whole = load_course(folder).lessons

    assert (True, "") == (broken.fault.startswith(fault), whole.fault)
    with pytest.raises(CourseError) as raised:
        broken.read(name) if name != "lesson.toml" or text is None else broken.info
    assert "The other lessons work: jaxtutor list" == raised.value.remedy


def test_a_broken_lesson_is_passed_over(tmp_path: Path) -> None:
    """`next` skips a broken lesson, and a course starts with a lesson that works."""
    folder = make(tmp_path, "01_a/01_one", "01_a/02_two", "01_a/03_three", "01_a/04_four")
    for name in ("01_one", "03_three"):
        (folder / "01_a" / name / "starter.py").unlink()
    course = load_course(folder)
    _, two, _, four = course.lessons

    assert (two, four, two) == (course.first(), course.after(two), course.after(four, -1))
    assert course.after(two, -1) is None


def test_a_file_that_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    """A named pipe in place of a page is refused without waiting."""
    folder = make(tmp_path, "01_a/01_one")
    (folder / "01_a/01_one/lesson.md").unlink()
    os.mkfifo(folder / "01_a/01_one/lesson.md")

    with pytest.raises(CourseError, match=r"lesson\.md"):
        _ = load_course(folder).lessons[0].page


def test_a_lesson_has_no_way_out_of_its_course(tmp_path: Path) -> None:
    """A link is not a lesson's folder, and a path does not find a lesson."""
    folder = make(tmp_path / "course", "01_a/01_one")
    make(tmp_path / "other", "01_a/01_secret")
    (folder / "01_a/02_secret").symlink_to(tmp_path / "other/01_a/01_secret")
    course = load_course(folder)

    assert ["one"] == [lesson.slug for lesson in course.lessons]
    with pytest.raises(UnknownLesson):
        course.find("../../other/01_a/01_secret")


def test_a_chapter_that_cannot_be_read_costs_only_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unreadable chapter does not hide the other chapters."""
    folder = make(tmp_path, "01_a/01_one", "02_b/01_two")
    listing = os.scandir

    def refuse(path: Path) -> Any:
        if path.name == "01_a":
            raise PermissionError
        return listing(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert ["two"] == [lesson.slug for lesson in load_course(folder).lessons]


def test_what_a_course_says_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    """An escape sequence in a title, a hint or a chapter's heading is shown as text."""
    folder = make(tmp_path, "01_a/01_one")
    info = INFO.replace("TITLE", "\\u001b[2J").replace('"one"', '"\\u202eone"')
    (folder / "01_a/01_one/lesson.toml").write_text(info)
    (folder / "01_a/chapter.md").write_text("# A\x1b]0;b\x07\n")
    course = load_course(folder)
    said = course.lessons[0].info

    assert ("\u241b[2J", "\\u202eone", "A\u241b]0;b\u2407") == (
        said.title,
        said.hints[0],
        course.chapters[0].title,
    )


# ---------------------------------------------------------------- checkouts


def test_a_checkout_may_keep_its_course_in_a_folder(tmp_path: Path) -> None:
    """In a checkout without chapters, a course.toml one folder down is found."""
    make(tmp_path / "lessons", "01_a/01_one")
    (tmp_path / "lessons" / "course.toml").write_text("")
    (tmp_path / "README.md").write_text("")

    assert tmp_path / "lessons" == load_course(tmp_path).folder


def test_of_two_courses_in_a_checkout_neither_is_taken(tmp_path: Path) -> None:
    """Two courses in a checkout are ambiguous, and the error lists both."""
    for name in ("easy", "hard"):
        make(tmp_path / name, "01_a/01_one")
        (tmp_path / name / "course.toml").write_text("")

    with pytest.raises(CourseError, match="holds no lessons"):
        load_course(tmp_path)


@pytest.mark.parametrize(
    "address", ["https://example.org/a/course.git", "git@example.org:a/course.git"]
)
def test_an_address_is_not_fetched(address: str) -> None:
    """A web address is refused, with the command that adds the course."""
    with pytest.raises(CourseError) as raised:
        load_course(Path(address))

    assert "jaxtutor course add" in raised.value.remedy


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_leads_out_is_a_fault_at_once(tmp_path: Path, name: str) -> None:
    """A file that leads out of the lesson is found without reading it, also `checks.py`."""
    (tmp_path / "secret").write_text("private")
    lesson = load_course(make(tmp_path / "course", "01_a/01_one")).lessons[0]
    (lesson.folder / name).unlink()
    (lesson.folder / name).symlink_to(tmp_path / "secret")

    assert f"{name} leads out of it" == lesson.fault


def test_a_chapters_page_that_leads_out_is_not_read(tmp_path: Path) -> None:
    """A chapter page that leads out of the course is not read, not even its heading."""
    (tmp_path / "secret").write_text("# private")
    folder = make(tmp_path / "course", "01_a/01_one")
    (folder / "01_a/chapter.md").symlink_to(tmp_path / "secret")

    assert "A" == load_course(folder).chapters[0].title


def test_links_in_a_circle_are_reported(tmp_path: Path) -> None:
    """A circle of links ends with an error instead of a loop."""
    lesson = load_course(make(tmp_path, "01_a/01_one")).lessons[0]
    for name, other in (("lesson.md", "starter.py"), ("starter.py", "lesson.md")):
        (lesson.folder / name).unlink()
        (lesson.folder / name).symlink_to(other)

    assert "form a loop" in lesson.fault
    with pytest.raises(CourseError, match="form a loop"):
        _ = lesson.page
