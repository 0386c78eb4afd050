"""Owns the gate of the corpus: what raises is diagnosed, what is right gets no finding."""

from __future__ import annotations

import pytest

from jaxtutor.content.cause_pages import Library
from score_corpus import Score, false_findings, judge, programs, run_all


def scores(names: list[str]) -> list[Score]:
    """Diagnose the broken programs of these names."""
    causes = Library()
    ran = run_all(names, "broken.py")
    return [judge(name, outcome, causes) for name, outcome in zip(names, ran, strict=True)]


def misses(names: list[str]) -> list[tuple[str, str]]:
    """List what was wrong of the diagnoses of what raises."""
    return [
        (score.name, what)
        for score in scores(names)
        for what in ("class", "line", "cause", "advice")
        if not score.case.is_silent and not score.is_right(what)
    ]


def test_some_of_the_corpus_is_diagnosed() -> None:
    """Every sixth broken program gets its class, line, cause and advice."""
    assert [] == misses(programs()[::6])


@pytest.mark.slow
def test_all_of_the_corpus_that_raises_is_diagnosed() -> None:
    """Every broken program that raises gets its class, line, cause and advice."""
    assert [] == misses(programs())


@pytest.mark.slow
def test_right_programs_get_no_finding() -> None:
    """Nothing is said of the programs that are right."""
    assert {} == false_findings(programs(), Library())
