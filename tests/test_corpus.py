"""Tests the diagnosis on the corpus: what raises is diagnosed, what is right gets no finding."""

from __future__ import annotations

import pytest

from jaxtutor.content.cause_pages import Library
from program_pool import of_cause, selected
from score_corpus import Score, case_of, false_findings, judge, programs, run_all

CASES = {name: case_of(name) for name in programs()}


@pytest.fixture(scope="module")
def scores(request: pytest.FixtureRequest) -> dict[str, Score]:
    """Run and diagnose the broken programs of the selected tests together."""
    names, causes = selected(request, "name"), Library()
    ran = run_all(names, "broken.py")
    return {name: judge(name, each, causes) for name, each in zip(names, ran, strict=True)}


@pytest.mark.parametrize(
    "name",
    [
        of_cause(case.cause, name, slow=bool(n % 6))
        for n, (name, case) in enumerate(CASES.items())
        if not case.is_silent
    ],
)
def test_a_program_of_the_corpus_is_diagnosed(name: str, scores: dict[str, Score]) -> None:
    """A broken program that raises gets its class, line, cause and advice."""
    wrong = [w for w in ("class", "line", "cause", "advice") if not scores[name].is_right(w)]
    assert [] == wrong


@pytest.mark.slow
def test_right_programs_get_no_finding() -> None:
    """The correct programs get no finding."""
    assert {} == false_findings(programs(), Library())
