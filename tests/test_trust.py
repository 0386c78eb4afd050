"""Owns the tests of the consent to run a course that did not come with jaxtutor."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jaxtutor.course import built_in
from jaxtutor.errors import TutorError
from jaxtutor.trust import VARIABLE, agree


def refuse(question: str) -> bool:
    raise AssertionError(f"asked: {question}")


def test_our_own_course_is_not_asked_about(tmp_path: Path) -> None:
    """What came with jaxtutor runs."""
    agree(built_in(), tmp_path / "trusted.json", {}, refuse)


def test_a_yes_is_remembered(tmp_path: Path) -> None:
    """A person is asked once; by another path to it, not again."""
    place, course = tmp_path / "data" / "trusted.json", tmp_path / "course"
    course.mkdir()
    (tmp_path / "link").symlink_to(course)
    agree(course, place, {}, lambda question: str(course) in question)

    agree(tmp_path / "link", place, {}, refuse)


def test_a_no_is_final_and_not_remembered(tmp_path: Path) -> None:
    """Nothing runs, and the next time it is asked again."""
    for _ in range(2):
        with pytest.raises(TutorError, match="was not run"):
            agree(tmp_path, tmp_path / "trusted.json", {}, lambda question: False)


def test_without_a_person_it_is_refused(tmp_path: Path) -> None:
    """The refusal names the folder, and the ways to allow it."""
    with pytest.raises(TutorError) as refused:
        agree(tmp_path, tmp_path / "trusted.json", {}, None)

    assert str(tmp_path) in refused.value.message
    assert VARIABLE in refused.value.remedy
    assert 3 == refused.value.status


@pytest.mark.parametrize("said", ["yes", "{folder}", "/elsewhere{sep}{folder}"])
def test_the_environment_can_answer(tmp_path: Path, said: str) -> None:
    """`yes` is for every course, and folders are for theirs."""
    answer = said.format(folder=tmp_path, sep=os.pathsep)
    agree(tmp_path, tmp_path / "trusted.json", {VARIABLE: answer}, None)


@pytest.mark.parametrize("said", ["no", "", "/elsewhere", "1"])
def test_the_environment_may_not_answer(tmp_path: Path, said: str) -> None:
    """Anything else is no consent."""
    with pytest.raises(TutorError):
        agree(tmp_path, tmp_path / "trusted.json", {VARIABLE: said}, None)


def test_a_broken_record_agrees_to_nothing(tmp_path: Path) -> None:
    """A file that is not whole is as good as none, and is written anew."""
    place = tmp_path / "trusted.json"
    place.write_bytes(b'["/a')
    agree(tmp_path, place, {}, lambda question: True)

    agree(tmp_path, place, {}, refuse)
