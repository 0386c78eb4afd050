"""Tests short versions of the trials of foreign courses, hostile submissions and bad input."""

from __future__ import annotations

from pathlib import Path

import pytest

from trials.courses.foreign import try_trap
from trials.courses.inputs import try_command
from trials.courses.submissions import (
    BARS,
    SUBMISSIONS,
    try_folder,
    try_interrupt,
    try_without_confinement,
)
from trials.courses.surroundings import ODDITIES, try_oddity
from trials.courses.traps import TRAPS
from trials.courses.tree import commands

# The trial forks from a process into which earlier tests may have loaded jax, which warns.
pytestmark = [
    pytest.mark.filterwarnings(r"ignore:os\.fork\(\) was called:RuntimeWarning"),
    pytest.mark.filterwarnings("ignore:.*is multi-threaded, use of fork:DeprecationWarning"),
]

SMALL = ("files are pipes", "escapes in every text of the toml", "escapes in programs")


@pytest.mark.parametrize("name", SMALL)
def test_a_course_by_others_is_shown_and_not_obeyed(name: str, tmp_path: Path) -> None:
    """Nothing of a foreign course runs, touches files outside it, or controls the terminal."""
    seen = try_trap(name, tmp_path / "trial", thorough=False)

    assert () == seen.faults
    assert 20 < seen.commands


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(TRAPS) - set(SMALL)))
def test_all_courses_by_others(name: str, tmp_path: Path) -> None:
    """This holds for every kind of trap."""
    assert () == try_trap(name, tmp_path / "trial", thorough=False).faults


UNCONFINED = {
    name: submission
    for name, submission in SUBMISSIONS.items()
    if not submission.only_confined and name not in ("never ends", "raises at length")
}
SOME = ("a right one", "a formula with plus", "broken bytes", "a pipe", "raises escapes")


def test_submissions_get_their_grades(tmp_path: Path) -> None:
    """Every table agrees, nothing else is written, and no process is left."""
    submissions = {name: SUBMISSIONS[name] for name in (*SOME, "leaves a process")}
    assert [] == try_folder(tmp_path / "trial", submissions, "never", 300)


@pytest.mark.slow
def test_all_submissions_get_their_grades(tmp_path: Path) -> None:
    """This holds for every kind of submission."""
    assert [] == try_folder(tmp_path / "trial", UNCONFINED, "never", 900)


def test_grading_can_be_interrupted(tmp_path: Path) -> None:
    """Interrupted grading reports how far it came and leaves no process."""
    assert [] == try_interrupt(tmp_path / "trial")


@pytest.mark.parametrize("bar", BARS)
def test_nothing_runs_without_the_confinement_asked_for(tmp_path: Path, bar: str) -> None:
    """If the requested sandbox is unavailable, grading is refused with the reason."""
    assert [] == try_without_confinement(tmp_path / "trial", bar)


QUICK = (
    "a home of broken bytes",
    "a home that is too long",
    "a module of Python's hidden",
    "columns that look like a number",
    "a deleted folder",
    "a deleted folder, for a script",
    "a deleted folder, for the prompt",
    "another user's home",
    "a flag that XLA does not know",
)


@pytest.mark.parametrize("name", QUICK)
def test_odd_environments(name: str, tmp_path: Path) -> None:
    """In a broken environment, a command continues or reports one error with a remedy."""
    assert [] == try_oddity(name, tmp_path / "trial")


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(ODDITIES) - set(QUICK)))
def test_all_odd_surroundings(name: str, tmp_path: Path) -> None:
    """This holds for every broken environment."""
    assert [] == try_oddity(name, tmp_path / "trial")


@pytest.mark.parametrize("words", [("list",), ("restore",), ("lesson", "new")], ids=" ".join)
def test_bad_input_gets_one_clear_error(words: tuple[str, ...], tmp_path: Path) -> None:
    """Any invalid argument gets one clear error."""
    command = next(it for it in commands() if it.words == words)
    count, faults = try_command(command, tmp_path / "trial")

    assert ([], True) == (faults, count > 30)


@pytest.mark.slow
@pytest.mark.parametrize("words", [it.words for it in commands()], ids=" ".join)
def test_all_bad_input(words: tuple[str, ...], tmp_path: Path) -> None:
    """This holds for every command."""
    command = next(it for it in commands() if it.words == words)
    assert [] == try_command(command, tmp_path / "trial")[1]
