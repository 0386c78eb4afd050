"""Tests what a learner sees first: the welcome at the first start, and how a chapter begins."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jaxtutor.cli import run
from jaxtutor.content.course import Chapter
from jaxtutor.content.loading import load_course
from jaxtutor.content.trust import VARIABLE
from jaxtutor.content.welcome import read_welcome
from jaxtutor.grading.text_gates import SCREEN, count_rows
from trials.sample_lessons import INFO, make_lesson
from trials.tmux import Tmux

COURSE = load_course(Path(__file__).parent.parent / "lessons")
OPENING = "This chapter is about numbers that become other numbers."
DETAILS = "In 1.1 a number is doubled."
TEXT = "It does."
"""A sentence of the lesson's page."""
Tutor = Callable[..., str]


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Make a course of one chapter with two lessons."""
    folder = tmp_path / "course"
    for name in ("01_double", "02_double_again"):
        info = INFO.replace("Double it", name)
        make_lesson(folder / "01_basics" / name, {"lesson.toml": info})
    (folder / "01_basics" / "chapter.md").write_text(f"# Numbers\n\n{OPENING}\n\n{DETAILS}\n")
    return folder


@pytest.fixture
def tutor(
    course: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Tutor:
    """Run a command on the course, with its output in a pipe, and return the output."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(VARIABLE, str(course))

    def tutor(*arguments: str) -> str:
        assert 0 == run([*arguments, "--course", str(course)])
        return capsys.readouterr().out

    return tutor


# ---------------------------------------------------------------- the welcome


@pytest.mark.parametrize("plain", ["", "--plain"])
def test_the_first_start_explains_how_it_works(tutor: Tutor, plain: str) -> None:
    """The first start in a pipe prints the welcome above the lesson; the second does not."""
    arguments = ["start", *([plain] if plain else [])]
    first, second = tutor(*arguments), tutor(*arguments)

    assert first.startswith("Welcome\n")
    assert "Nothing is lost" in first
    assert first.endswith(second)
    assert "Welcome" not in second


def test_a_named_lesson_is_shown_at_once(tutor: Tutor) -> None:
    """A start with the name of a lesson shows that lesson without a welcome."""
    assert "Welcome" not in tutor("start", "double-again")


def test_a_learner_who_has_begun_is_not_welcomed(tutor: Tutor) -> None:
    """A learner who has opened a lesson with another command is not new."""
    tutor("next")

    assert "Welcome" not in tutor("start")


def test_the_welcome_is_short() -> None:
    """The welcome takes at most ten rows of 80 columns, whatever key leads to the panel."""
    assert 10 >= max(count_rows(read_welcome(prefix)) for prefix in ("F12", "Ctrl-]"))


def test_the_first_lesson_is_short() -> None:
    """The task of the first lesson fits one screen, with what stands above it."""
    lesson = COURSE.lessons[0]
    rows = count_rows(lesson.page.partition("## After you pass")[0])
    above = count_rows(COURSE.chapters[0].introduction)

    assert SCREEN >= 2 + above + 1 + rows


@pytest.fixture
def terminal() -> Iterator[Tmux]:
    """Open a terminal of 80 by 24 with nano in a new home."""
    if not shutil.which("tmux") or not shutil.which("nano"):
        pytest.skip("tmux or nano is not installed")
    with tempfile.TemporaryDirectory(prefix="welcome-", ignore_cleanup_errors=True) as folder:
        opened = Tmux(Path(folder), 80, 24, {"VISUAL": "nano"})
        yield opened
        opened.close()


def test_any_key_leads_to_the_first_lesson(terminal: Tmux) -> None:
    """The welcome stays until a key is pressed, and the next session begins with the lesson."""
    terminal.start()
    terminal.await_("Welcome", "any key")
    terminal.press("x")
    rows = terminal.await_(COURSE.lessons[0].info.title, "enter edit")
    assert not any("Welcome" in row for row in rows)
    terminal.press("q")
    terminal.await_("Continue with")
    terminal.type("clear")
    terminal.press("Enter")
    terminal.start()

    rows = terminal.await_(COURSE.lessons[0].info.title, "enter edit")
    assert not any("Welcome" in row for row in rows)


@pytest.mark.parametrize("options", [(), ("--plain",)])
def test_q_quits_the_welcome(terminal: Tmux, options: tuple[str, ...]) -> None:
    """`q` ends the session that has only shown the welcome."""
    terminal.start(*options)
    terminal.await_("Welcome", "q quit")
    terminal.press("q")

    terminal.await_("Continue with")


@pytest.mark.usefixtures("tutor")
def test_a_short_page_announces_no_example(capsys: pytest.CaptureFixture[str]) -> None:
    """A page of one screen has no worked example, and does not say that one follows."""
    assert 0 == run(["show", COURSE.lessons[0].slug])

    assert "worked example" not in capsys.readouterr().out


# ---------------------------------------------------------------- how a chapter begins


def test_a_chapter_begins_with_its_introduction(tutor: Tutor) -> None:
    """The first lesson of a chapter is shown below the first paragraph of the chapter's page."""
    page = tutor("show", "double")

    assert page.index(OPENING) < page.index(TEXT)
    assert DETAILS not in page


def test_later_lessons_have_no_introduction(tutor: Tutor) -> None:
    """Only the first lesson of a chapter is below the introduction."""
    assert OPENING not in tutor("show", "double-again")


def test_the_introduction_is_gone_once_the_lesson_was_begun(tutor: Tutor) -> None:
    """After a hint or an attempt, the page of the first lesson stands alone."""
    tutor("hint", "double")

    assert OPENING not in tutor("show", "double")


def test_a_chapter_is_shown_by_its_number(tutor: Tutor) -> None:
    """The number of a chapter shows its whole page, also after the first attempt."""
    page = tutor("show", "1")

    assert page.index(OPENING) < page.index(DETAILS) < page.index(TEXT)


def test_the_list_of_a_chapter_names_its_introduction(tutor: Tutor) -> None:
    """`list 1` says how to read the chapter's page."""
    assert "jaxtutor show 1" in tutor("list", "1")


@pytest.mark.parametrize("part", COURSE.parts, ids=lambda part: part.name)
def test_every_chapter_begins_shortly(part: Chapter) -> None:
    """The introduction of each chapter and project takes one to four rows of 80 columns."""
    assert count_rows(part.introduction) in range(1, 5)
