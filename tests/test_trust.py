"""Tests the consent to run a course that did not come with jaxtutor."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jaxtutor.cli import run
from jaxtutor.content.loading import built_in
from jaxtutor.content.trust import VARIABLE, agree
from jaxtutor.errors import TutorError
from trials.sample_lessons import SOLUTION, make_lesson


def refuse(question: str) -> bool:
    raise AssertionError(f"asked: {question}")


def test_our_own_course_is_not_asked_about(tmp_path: Path) -> None:
    """The built-in course runs without consent."""
    agree(built_in(), tmp_path / "trusted.json", {}, refuse)


def test_a_yes_is_remembered(tmp_path: Path) -> None:
    """The question comes once, also if the course is reached by another path."""
    place, course = tmp_path / "data" / "trusted.json", tmp_path / "course"
    course.mkdir()
    (tmp_path / "link").symlink_to(course)
    agree(course, place, {}, lambda question: str(course) in question)

    agree(tmp_path / "link", place, {}, refuse)


def test_changed_files_are_asked_about_again_once(tmp_path: Path) -> None:
    """Consent is for the files as they were, and for their names."""
    place, lesson = tmp_path / "trusted.json", tmp_path / "course" / "01_a" / "01_b"
    lesson.mkdir(parents=True)
    checks = lesson / "checks.py"
    checks.write_text("x = 1")
    course = tmp_path / "course"
    agree(course, place, {}, lambda question: "did not come" in question)
    agree(course, place, {}, refuse)
    checks.write_text("x = 2")
    with pytest.raises(TutorError):
        agree(course, place, {}, None)
    agree(course, place, {}, lambda question: "have changed" in question)
    agree(course, place, {}, refuse)
    checks.rename(lesson / "other.py")

    with pytest.raises(TutorError, match="was not run"):
        agree(course, place, {}, lambda question: False)


def test_a_no_is_final_and_not_remembered(tmp_path: Path) -> None:
    """A refusal runs nothing and is not stored."""
    for _ in range(2):
        with pytest.raises(TutorError, match="was not run"):
            agree(tmp_path, tmp_path / "trusted.json", {}, lambda question: False)


def test_without_a_person_it_is_refused(tmp_path: Path) -> None:
    """Without a terminal, the course is refused with its folder and the ways to allow it."""
    with pytest.raises(TutorError) as refused:
        agree(tmp_path, tmp_path / "trusted.json", {}, None)

    assert str(tmp_path) in refused.value.message
    assert VARIABLE in refused.value.remedy
    assert 3 == refused.value.status


@pytest.mark.parametrize("said", ["yes", "{folder}", "/elsewhere{sep}{folder}"])
def test_the_environment_can_answer(tmp_path: Path, said: str) -> None:
    """The variable accepts `yes` for every course, or folders for their courses."""
    answer = said.format(folder=tmp_path, sep=os.pathsep)
    agree(tmp_path, tmp_path / "trusted.json", {VARIABLE: answer}, None)


@pytest.mark.parametrize("said", ["no", "", "/elsewhere", "1"])
def test_the_environment_may_not_answer(tmp_path: Path, said: str) -> None:
    """Any other value of the variable is not consent."""
    with pytest.raises(TutorError):
        agree(tmp_path, tmp_path / "trusted.json", {VARIABLE: said}, None)


def test_a_broken_record_agrees_to_nothing(tmp_path: Path) -> None:
    """A damaged record contains no consent and is written again."""
    place = tmp_path / "trusted.json"
    place.write_bytes(b'["/a')
    agree(tmp_path, place, {}, lambda question: True)

    agree(tmp_path, place, {}, refuse)


# ---------------------------------------------------------------- commands

RUNNING = [
    ["check", "double"],
    ["check", "double", "--json"],
    ["check", "double", "--watch"],
    ["diff", "double", "--jaxpr"],
    ["lesson", "test"],
    ["grade", "{pile}", "--confine", "never"],
    ["grade", "{pile}", "--scheduler", "tcp://127.0.0.1:9"],
    ["repl", "double"],
]
READING = [["list"], ["show", "double"], ["hint", "double"], ["solution", "double"], ["diff"]]


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a course without consent and a submission for it."""
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "home"))
    make_lesson(tmp_path / "course" / "01_a" / "01_double")
    (tmp_path / "pile").mkdir()
    (tmp_path / "pile" / "ann_double.py").write_text(SOLUTION)
    return tmp_path / "course"


def command(words: list[str], course: Path) -> list[str]:
    filled = [word.format(pile=course.parent / "pile") for word in words]
    return [*filled, "--course", str(course)]


@pytest.mark.parametrize("words", RUNNING, ids=" ".join)
def test_what_runs_a_course_asks_first(
    foreign: Path, words: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    """Commands that run a course are refused without a terminal and without consent."""
    status = run(command(words, foreign))
    printed = capfd.readouterr()

    assert (3, True) == (status, "A course is code" in printed.out + printed.err)


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_what_reads_a_course_does_not(foreign: Path, words: list[str]) -> None:
    """Commands that only read a course need no consent."""
    assert 0 == run(command(words, foreign))
