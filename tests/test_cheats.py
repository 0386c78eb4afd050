"""Tests that no submission passes by reading, replacing, pretending or guessing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jaxtutor.app import App
from jaxtutor.processes import sandbox
from trials import forgeries
from trials.cheats import LESSONS, Cheat, attempt, cheats, fits, made_app, trouble, try_all

BY_NAME = {cheat.name: cheat for cheat in cheats()}
CORE = (
    "reads the solution",
    "imports the solution",
    "is equal to everything",
    "is a mock",
    "leaves with success",
    "says that it is done",
    "replaces the comparison",
)


@pytest.fixture(scope="module")
def app() -> Iterator[App]:
    """Make the surroundings of a check once: each submission has a worker of its own."""
    with made_app() as made:
        yield made


def test_every_cheat_is_another_and_says_what_it_does() -> None:
    """Names and sources are unique, and each cheat states words of its verdict if it can."""
    every = cheats()

    assert len(every) == len({cheat.name for cheat in every}) == len({c.source for c in every})
    assert [] == [cheat.name for cheat in every if not cheat.does]
    assert 15 <= len(every)


def test_a_cheat_that_passes_is_reported(app: App) -> None:
    """The trial can fail: it does where a right submission is called a cheat."""
    lesson = app.course.find(LESSONS[0])
    right = Cheat("right", "It is right.", lesson.solution)
    verdict = attempt(app, lesson, fits(right, lesson))

    assert "passed" == verdict.status
    assert "right, safe-clip-positive: passed" in trouble(right, lesson, verdict)


def test_none_of_the_usual_cheats_passes(app: App) -> None:
    """Reading, importing, objects equal to all, exits, patches: none passes, each is named."""
    lesson = app.course.find(LESSONS[0])
    figure = try_all(app, [(BY_NAME[name], lesson) for name in CORE])

    assert () == figure.failures
    assert figure.holds


@pytest.mark.slow
@pytest.mark.parametrize("slug", LESSONS)
def test_no_cheat_passes(app: App, slug: str) -> None:
    """Every kind, at lessons of several kinds."""
    lesson = app.course.find(slug)

    assert () == try_all(app, [(cheat, lesson) for cheat in cheats()]).failures


# ---------------------------------------------------------------- forged on purpose

FORGERIES = [*forgeries.find()]
CANNOT_CONFINE = sandbox.find_problem()


def test_every_forgery_states_what_becomes_of_it() -> None:
    """Each states a status for each entrance, and none may pass where marks depend on it."""
    assert [] == [it.name for it in FORGERIES if {*it.expected} != {*forgeries.ENTRANCES}]
    assert [] == [it.name for it in FORGERIES if it.expected["grade"].startswith("passed")]
    assert 20 < len(FORGERIES)


def test_a_forgery_that_passes_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The trial can fail: it does where a submission comes to more than its file states."""
    monkeypatch.setattr(forgeries.Classroom, "statuses", lambda *_: {FORGERIES[0].name: "passed"})
    figure = forgeries.attempt("grade", FORGERIES[:1])

    assert not figure.holds
    assert "1 pass" == figure.detail


@pytest.mark.slow
@pytest.mark.skipif(bool(CANNOT_CONFINE), reason=CANNOT_CONFINE)
def test_no_forgery_passes_grade() -> None:
    """Confined and measured again by a meter, every forgery comes to what its file states."""
    figure = forgeries.attempt("grade", FORGERIES)

    assert () == figure.failures
