"""Tests of patterns: which expressions they match, and what their variables stand for."""

from __future__ import annotations

import ast

import pytest

from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.patterns import find, fits

IMPORTS = "import jax\nimport jax.numpy as np_\nimport numpy\nfrom jax.nn import softmax as soft\n"


def read(text: str) -> Module:
    """Return a file that begins with some imports."""
    source = IMPORTS + text
    return Module("main.py", source, ast.parse(source))


def found(text: str, pattern: str) -> list[dict[str, str]]:
    """List what the variables of a pattern stand for, at each place and in each way."""
    module = read(text)
    return [
        {name: module.text(node) for name, node in bound.items()}
        for _, bound in find(module, pattern)
    ]


@pytest.mark.parametrize(
    ("text", "pattern", "bound"),
    [
        ("np_.mean(a + 1)", "jnp.mean($x)", {"x": "a + 1"}),
        ("a.mean()", "jnp.mean($x)", {"x": "a"}),
        ("a.mean(axis=0)", "jnp.mean($x, axis=$n)", {"x": "a", "n": "0"}),
        ("soft(s, axis=0)", "jax.nn.softmax($x, ...)", {"x": "s"}),
        ("soft(axis=0, x=s)", "jax.nn.softmax(..., x=$x)", {"x": "s"}),
        ("len(a) / a.shape[0]", "len($x) / $x.shape[0]", {"x": "a"}),
        ("1.0 - w", "1 - $w", {"w": "w"}),
        ("[k for _ in range(3)]", "[$k for $i in range($n)]", {"k": "k", "i": "_", "n": "3"}),
        ("np_.tile(k, (3, 1))", "jnp.tile($k, ($n, ...))", {"k": "k", "n": "3"}),
        ("state.replace(a, b)", "$state.replace($x, $y)", {"state": "state", "x": "a", "y": "b"}),
    ],
)
def test_a_pattern_binds_what_its_variables_stand_for(
    text: str, pattern: str, bound: dict[str, str]
) -> None:
    """A pattern binds what its variables stand for."""
    assert [bound] == found(text, pattern)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("numpy.mean(a)", "jnp.mean($x)"),
        ("np_.mean(a, 0)", "jnp.mean($x)"),
        ("a.mean(0)", "jnp.mean($x)"),
        ("len(a) / b.shape[0]", "len($x) / $x.shape[0]"),
        ("a - b", "$x + $y"),
        ("a < b < c", "$x < $y"),
        ("f(*a)", "f($x)"),
        ("f(x=a, y=b)", "f(x=$x)"),
        ("2 - w", "1 - $w"),
    ],
)
def test_a_pattern_does_not_match_what_means_something_else(text: str, pattern: str) -> None:
    """An expression that means something else does not match."""
    assert [] == found(text, pattern)


def test_both_sides_of_a_symmetric_operator_are_tried() -> None:
    """The sides of an operator match either way round, if it is symmetric."""
    assert found("a * b", "$x * $y") == [{"x": "a", "y": "b"}, {"x": "b", "y": "a"}]
    assert found("a / b", "$x / $y") == [{"x": "a", "y": "b"}]


def test_a_name_is_followed_to_what_was_assigned_to_it() -> None:
    """A name is followed to what was assigned to it."""
    assert found("s = a == b\nt = s.mean()", "jnp.mean($x == $y)") == [
        {"x": "a", "y": "b"},
        {"x": "b", "y": "a"},
    ]


def test_a_pattern_without_variables_matches_too() -> None:
    """A pattern may have no variable."""
    module = read("x = 1")
    assert fits(module, module.tree.body[-1].value, "1.0")  # type: ignore[attr-defined]


def test_a_pattern_that_is_no_python_is_refused() -> None:
    """A pattern that does not parse raises where it is first used."""
    with pytest.raises(SyntaxError):
        found("f(a)", "f(x=$x, ...)")
