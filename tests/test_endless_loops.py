"""Tests that the loop of a submission that does not end is named."""

from __future__ import annotations

import re
import time

import pytest

from jaxtutor.core.data.verdicts import CheckResult, Verdict
from jaxtutor.core.judging.endless_loops import name_loop, say_running
from jaxtutor.session.state import SLOW_SECONDS, SessionState
from pictures import Records, having, read_records, session

PYTHON = """
def halve(n):
    while n > 1:
        n = n
    return n


def main():
    while True:
        pass
"""
COMPILED = """
from jax import lax


def root(x, tol):
    return lax.while_loop(lambda y: y * y > x, lambda y: y, x)


def halve(n):
    return root(n, 1) + start()


def start():
    while False:
        pass
"""
TITLE = "It was still running after 10 s"


def headline(source: str, check: str, function: str = "halve") -> str:
    """Return the headline for a submission that was stopped in a check."""
    failed = CheckResult(check, "It runs.", "failed", 0.0, "it was still running", None, TITLE)
    verdict = Verdict("timed_out", "l", TITLE, (failed,), 0.1, "cpu:0", "0.12")
    named = name_loop(verdict, source, function)
    assert named.headline == named.checks[0].title
    assert ("condition" in named.checks[0].detail) == (named.headline != TITLE)
    return named.headline


@pytest.mark.parametrize(
    ("source", "check", "expected"),
    [
        (PYTHON, "jaxpr", "Still running after 10 s: the loop `while n > 1` in line 3"),
        (PYTHON.replace("while n > 1", "for _ in range(9)"), "jaxpr", TITLE),
        (COMPILED, "jaxpr", "Still running after 10 s: the loop `while False` in line 14"),
        (COMPILED, "jit", "Still running after 10 s: one of the loops in lines 6 and 14"),
        (
            "while True:\n    pass\n",
            "import",
            "Still running after 10 s: the loop `while True` in line 1",
        ),
        ("(", "import", TITLE),
    ],
)
def test_the_loop_that_does_not_end_is_named(source: str, check: str, expected: str) -> None:
    """Loops of Python come first; those of compiled code do not run while it is traced."""
    assert expected == headline(source, check)


def test_a_long_condition_is_cut() -> None:
    """The line stays readable in a panel."""
    source = PYTHON.replace("n > 1", " and ".join(["n > 1"] * 20))

    assert len(headline(source, "values")) < 110


def slow(state: SessionState, records: Records) -> None:
    """Show a check that takes long, after a verdict on the save before."""
    having("raised")(state, records)
    state.text = PYTHON.replace("halve", state.lesson.info.function)
    state.checking_since = time.monotonic() - SLOW_SECONDS - 1


def test_a_session_says_that_a_file_is_still_running() -> None:
    """The verdict on the save before gives way to what runs now, and to its loop."""
    for panel in (False, True):
        screen = session(slow, rows=8, panel=panel)(read_records())
        text = re.sub(r"\x1b\[[\d;]*m", "", " ".join(screen.lines))

        assert "Your file is still running. It is stopped after 10 s. If a loop" in text
        assert "the loop while n > 1 in line 3." in " ".join(text.split())
        assert "Tracer" not in text


def test_many_loops_are_not_listed() -> None:
    """With more than three loops, their lines say nothing."""
    source = PYTHON.replace(
        "    return n", "    while n > 1:\n        n = n\n" * 3 + "    return n"
    )

    assert "Your file is still running. It is stopped after 4 s." == say_running(source, "halve", 4)
