"""Tests how the answers that a page shows are read."""

from __future__ import annotations

import math
from typing import Any

import pytest

from jaxtutor.core.data.shown import ShownLine, read_literal, read_shown


@pytest.mark.parametrize(
    ("comment", "literal"),
    [
        ("4.0, and its dtype is float32", (4.0,)),
        ("[1.5, -0.5] in float16", ([1.5, -0.5],)),
        ("3.24; its gradient is [-3.6, 0.0]", (3.24,)),
        ("(3,)", ((3,),)),
        ("[1], [2.0]", (([1], [2.0]),)),
        ("{'a': [1]}", ({"a": [1]},)),
        ("[inf, -inf]", ([math.inf, -math.inf],)),
        ("all ones; device 0 holds two rows", None),
        ('("at mapped index 1: ...", 2)', None),
        ("log(0.375), -0.98083", None),
        ("__import__('os')", None),
        ("", None),
    ],
)
def test_the_literal_at_the_beginning_is_read(comment: str, literal: tuple[Any] | None) -> None:
    """The literal ends where words begin; other expressions are not evaluated."""
    assert literal == read_literal(comment)


def test_nan_is_read() -> None:
    """NaN, which is not a literal of Python, is read as a number."""
    found = read_literal("[nan, 1.0]")

    assert found is not None
    assert math.isnan(found[0][0])


def test_statements_and_calls_are_distinguished() -> None:
    """A statement has no answer, and a call without a comment has none either."""
    source = "x = [1]\nf(x)  # 2\n\nf(\n    x\n)  # 3 of them\nf(x)\n"

    assert [
        ShownLine("x = [1]", 1, False),
        ShownLine("f(x)", 2, True, True, 2),
        ShownLine("f(x)", 4, True, True, 3),
        ShownLine("f(x)", 7, True),
    ] == list(read_shown(source))
