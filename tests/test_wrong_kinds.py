"""Tests the kinds of wrong answers, and the advice for each of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from builders import tree
from jaxtutor.core.data.values import Tree
from jaxtutor.core.data.verdicts import CaseResult
from jaxtutor.core.judging import relations
from jaxtutor.core.judging.compare import compare
from jaxtutor.core.judging.properties import kinds_of, relation_over
from jaxtutor.core.judging.relations.advice import ADVICE

NUMBERS = [0.5, -2.0, 3.25, 7.5, 1.75]


def wrong(expected: Tree, actual: Tree) -> CaseResult:
    """Return a call with a wrong answer."""
    difference = compare(expected, actual)
    return CaseResult("x", expected, actual, False, True, "", difference)


@pytest.mark.parametrize(
    ("actual", "kinds"),
    [
        ([3 * n for n in NUMBERS], ("scaled",)),
        ([-n for n in NUMBERS], ("opposite",)),
        ([n + 2 for n in NUMBERS], ("offset",)),
        ([n * n for n in NUMBERS], ("square",)),
        (NUMBERS[1:], ("first-missing", "shape")),
        ([1.0, 9.0, 4.0, 2.0, 0.25], ()),
    ],
)
def test_the_kind_is_that_of_the_relation_and_the_form(
    actual: list[float], kinds: tuple[str, ...]
) -> None:
    """A wrong shape is a kind beside the relation; without a relation there is none."""
    case = wrong(tree(NUMBERS), tree(actual))

    assert kinds == kinds_of(case, relation_over([case]))


def test_every_kind_with_advice_is_one_that_is_found() -> None:
    """Advice for a kind that no finder yields would never be shown."""
    folder = Path(relations.__file__).parent
    source = "".join(it.read_text() for it in folder.glob("*.py") if it.name != "advice.py")

    assert {kind for kind in ADVICE if f'"{kind}"' not in source} == set()
    assert all(re.fullmatch(r"[A-Z].*[.]", says) for says in ADVICE.values())
