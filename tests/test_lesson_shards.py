"""Tests `lesson test --shard` and `--resume`: which lessons are tested, and which are skipped."""

from __future__ import annotations

import json
import os
import platform
import shutil
from collections.abc import Iterator
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from jaxtutor.cli import run
from jaxtutor.content.lesson import Lesson
from jaxtutor.content.loading import load_course
from jaxtutor.core.grading.sharding import Shard, places_in, read_shard
from jaxtutor.grading import lesson_gates
from jaxtutor.grading.gate import Gate, GateProblem, Skipped
from jaxtutor.grading.lesson_shards import lessons_in
from jaxtutor.grading.passed_lessons import PassedLessons
from trials.sample_lessons import make_lesson

# ---------------------------------------------------------------- shards


@pytest.mark.parametrize("text", ["", "2", "/3", "2/", "0/3", "4/3", "1/0", "-1/3", "1/3/5", "²/3"])
def test_a_shard_is_one_of_so_many(text: str) -> None:
    """Anything else is not a shard."""
    assert read_shard(text) is None
    assert Shard(2, 3) == read_shard("2/3")


@pytest.mark.parametrize("count", [1, 2, 5, 40])
def test_the_shards_are_the_whole(count: int) -> None:
    """Each part is in exactly one shard, and no shard has more than another and one part."""
    weights = [(7 * n) % 23 + 1 for n in range(30)]
    shards = [places_in(Shard(number, count), weights) for number in range(1, count + 1)]

    assert list(range(30)) == sorted(chain(*shards))
    loads = [sum(weights[place] for place in shard) for shard in shards[:30]]
    assert max(loads) - min(loads) <= max(weights)


def test_the_steps_of_a_project_are_in_one_shard() -> None:
    """A step runs the checks of those before it, which compile the same programs."""
    course = load_course(None)
    shards = [lessons_in(Shard(number, 6), course.every_lesson) for number in range(1, 7)]

    for project in course.projects:
        assert 1 == sum(any(step in shard for step in project.lessons) for shard in shards)
    assert len(course.every_lesson) == sum(map(len, shards))


# ---------------------------------------------------------------- resuming


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return a course of three lessons."""
    for name in ("01_one", "02_two", "03_three"):
        make_lesson(tmp_path / "course" / "01_basics" / name)
    return tmp_path / "course"


@pytest.fixture
def outcomes(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Replace the gates: each lesson has one, which finds what is in this dictionary."""
    found: dict[str, Any] = {}

    def run_gates(_: object, lessons: tuple[Lesson, ...], *__: object) -> Iterator[Gate]:
        for lesson in lessons:
            yield Gate(lesson, "solution", found.get(lesson.slug))

    monkeypatch.setattr(lesson_gates, "run_gates", run_gates)
    return found


class GateRunner:
    """Runs `lesson test` on a course in this process."""

    def __init__(self, course: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.course = course
        self.capsys = capsys

    def __call__(self, *options: str) -> dict[str, Any]:
        run(["lesson", "test", str(self.course), "--json", *options])
        printed: dict[str, Any] = json.loads(self.capsys.readouterr().out)
        return printed

    def tested(self, *options: str) -> list[str]:
        """Return the lessons that are tested."""
        return [gate["lesson"] for gate in self(*options)["gates"]]


@pytest.fixture
def tester(
    course: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> GateRunner:
    """Return a tester with a home of its own, which may run any course."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("JAXTUTOR_TRUST_COURSE", "yes")
    return GateRunner(course, capsys)


def test_what_passed_is_not_tested_again(tester: GateRunner, outcomes: dict[str, Any]) -> None:
    """A lesson that failed, or was not checked completely, is; the others are listed."""
    outcomes.update(two=GateProblem("It does not pass."), three=Skipped("a library is missing"))

    assert ["one", "two", "three"] == tester.tested()
    again = tester("--resume")

    assert ["two", "three"] == [gate["lesson"] for gate in again["gates"]]
    assert ["one"] == again["passed_before"]
    assert ["one", "two", "three"] == tester.tested()


def test_a_run_says_with_what_it_was_and_how_long_it_took(
    tester: GateRunner, outcomes: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The processor time is that of the run alone, with the processes that it waited for."""
    del outcomes
    times = [os.times_result((2.0, 1.0, 5.0, 1.0, 0.0)), os.times_result((2.5, 1.0, 9.0, 3.0, 0.0))]
    monkeypatch.setattr(os, "times", lambda: times.pop(0))
    printed = tester()

    assert 6.5 == printed["processor_seconds"]
    assert platform.python_version() == printed["python"]
    assert version("jax") == printed["jax_version"]


def test_a_changed_lesson_is_tested_again(
    tester: GateRunner, course: Path, outcomes: dict[str, Any]
) -> None:
    """A lesson is skipped only if all of its files are the same."""
    del outcomes
    tester()
    (course / "01_basics" / "02_two" / "mistakes").mkdir(exist_ok=True)
    (course / "01_basics" / "02_two" / "mistakes" / "new.py").write_text("# expects: check jit\n")

    assert ["two"] == tester.tested("--resume")
    assert [] == tester.tested("--resume")


def test_what_passed_in_part_is_tested_again(tester: GateRunner, outcomes: dict[str, Any]) -> None:
    """A run of some gates says nothing of the lesson."""
    del outcomes
    tester("--only", "solution")

    assert ["one", "two", "three"] == tester.tested("--resume")


def test_shards_are_tested_apart(tester: GateRunner, outcomes: dict[str, Any]) -> None:
    """The shards of a course have its lessons, each of them once."""
    del outcomes
    tested = [tester.tested("--shard", f"{number}/2") for number in (1, 2)]

    assert all(tested)
    assert ["one", "three", "two"] == sorted(chain(*tested))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--shard", "4/3"), "Invalid value '4/3' for --shard."),
        (("--shard", "4/4"), "Shard 4/4 has no lessons."),
        (("--shard", "1/2", "--watch"), "--watch tests all lessons."),
        (("--resume", "--watch"), "--watch tests all lessons."),
        (("--resume", "--only", "solution"), "--resume skips whole lessons."),
        (("--resume", "--mutants"), "--mutants runs no gates."),
    ],
)
def test_what_cannot_be_run_is_a_usage_error(
    tester: GateRunner, options: tuple[str, ...], says: str
) -> None:
    """A shard that does not exist, and options that exclude one another, are refused."""
    error = tester(*options)["error"]

    assert (2, says) == (error["exit_status"], error["message"])


def test_a_lesson_depends_on_its_course_and_its_device(course: Path, tmp_path: Path) -> None:
    """A module of the course, another device and another order each make it untested."""
    loaded = load_course(course)
    lesson = loaded.lessons[0]
    PassedLessons(tmp_path / "gates", loaded, "cpu").add(lesson)

    def has(device: str = "cpu") -> bool:
        return PassedLessons(tmp_path / "gates", load_course(course), device).has(lesson)

    assert has()
    assert not has("gpu")
    (course / "shared.py").write_text("RATE = 1.0\n")
    assert not has()
    (course / "shared.py").unlink()
    assert has()
    shutil.rmtree(course / "01_basics" / "03_three")
    assert not has()
