"""Tests that advice begins with the line to write, from what was recorded of programs."""

from __future__ import annotations

import pytest

from catalogue import catalogue
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.diagnoses import Diagnosis
from recordings import corner, diagnoses, records

CAUSES = Library()


def found(name: str) -> Diagnosis:
    """Return the diagnosis of a program, from its record of the running Python and jax."""
    record = records(corner())[name]
    (diagnosis,) = diagnoses(record, catalogue()[name], CAUSES)
    assert diagnosis is not None
    return diagnosis


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "pages/traced-bool-in-ternary/failing",
            "Write `rate = jnp.where(distance_km < 10.0, 1.2, 0.9)`",
        ),
        ("spellings/traced-bool-in-and-or/3", "Write `return jnp.where((b > 0) & (n > 1), x, -x)`"),
        ("pages/masked-assignment/failing", "Write `pixels = jnp.where(pixels > 255.0, "),
        ("pages/traced-axis-arg/failing", "Write line "),
    ],
)
def test_advice_begins_with_the_line(name: str, says: str) -> None:
    """A fix of one line is quoted as the program would have it, with the number if elsewhere."""
    assert found(name).advice.startswith(says)


def test_a_condition_is_about_its_statement() -> None:
    """`not` in the condition of an `if` is explained as the `if`, with the whole condition."""
    diagnosis = found("spellings/traced-bool-in-if/6")

    assert "traced-bool-in-if" == diagnosis.cause
    assert "The `if` needs the truth of `not done`" in diagnosis.advice
    assert diagnosis.advice.startswith("Write `return jnp.where(jnp.logical_not(done), x, -x)`.")


def test_a_fix_of_several_lines_is_not_quoted() -> None:
    """A `while` that becomes `while_loop` is described, since its lines do not fit a sentence."""
    assert found("spellings/traced-bool-in-while/0").advice.startswith("`while` needs")
