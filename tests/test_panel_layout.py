"""Tests how the parts of a verdict are laid out in few rows."""

from __future__ import annotations

from itertools import accumulate
from textwrap import wrap

import pytest

from jaxtutor.core.reporting.layout import Part, lay_out
from jaxtutor.core.reporting.lead import shorten

PROBLEM = (
    "`(x - x.mean()).sum() < 0` is traced: its value is not known while `safe_clip_positive` is"
    " being traced, and the `if` needs it now."
)
REMEDY = "Write `return jnp.where((x - x.mean()).sum() < 0, x.at[0].set(0), x)`."
CODE = "if (x - x.mean()).sum() < 0:\n   ^^^^^^^^^^^^^^^^^^^^^^^^"
MORE = ("It was raised at line 9.", "Use `jax.lax.cond` if only one of two long sides may be run.")


def part(text: str, columns: int) -> Part[str]:
    """Return a part with the rows that a text takes."""
    return Part(text, sum(len(wrap(line, columns)) for line in text.splitlines()))


def laid_out(rows: int, columns: int) -> list[Part[str]]:
    """Lay out the example."""
    forms = ((PROBLEM, *shorten(PROBLEM)), (REMEDY,), (CODE,))
    first = [[part(text, columns) for text in texts] for texts in forms]
    texts = lay_out(first, [part(text, columns) for text in MORE], rows, "")
    return [part(text, columns) if text else Part("", 1) for text in texts]


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("rows", range(6, 13))
def test_no_part_is_cut_at_the_last_row(rows: int, columns: int) -> None:
    """A part ends in the last visible row, what to do is above it, and nothing is lost."""
    parts = laid_out(rows, columns)
    ends = list(accumulate(it.rows for it in parts))
    visible = [it.drawn for it, end in zip(parts, ends, strict=True) if end <= rows]

    assert rows in ends or ends[-1] < rows
    assert parts[0].drawn in (PROBLEM, *shorten(PROBLEM))
    assert {REMEDY, CODE} <= set(visible)
    assert {PROBLEM, REMEDY, CODE, *MORE} <= {it.drawn for it in parts}


@pytest.mark.parametrize(("rows", "begins"), [(6, "short"), (9, "whole"), (0, "whole")])
def test_a_sentence_is_shortened_only_where_it_must_be(rows: int, begins: str) -> None:
    """At 40 columns the first sentence is short in 6 rows, and whole in 9 or where nothing fits."""
    short = next(shorten(PROBLEM))
    texts = [it.drawn for it in laid_out(rows, 40)]

    assert texts[0] == (short if begins == "short" else PROBLEM)
    assert texts.count(PROBLEM) == 1


def test_what_does_not_fit_comes_below() -> None:
    """What is too long for the rows leaves them to what comes after it."""
    first = [[Part("problem", 2)], [Part("remedy", 9)], [Part("code", 2)]]

    assert ["problem", "code", "", "remedy", "rest"] == lay_out(first, [Part("rest", 1)], 5, "")


def test_everything_that_fits_has_no_empty_row() -> None:
    """Rows that are left over stay outside, so that a panel does not ask for them."""
    assert ["a", "b"] == lay_out([[Part("a", 1)]], [Part("b", 2)], 9, "")
