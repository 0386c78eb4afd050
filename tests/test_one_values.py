"""Tests which operations are found to give one value for every element."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

import jax
import pytest

from jaxtutor.core.data.observations import OneValue
from observed_program import observe

FILE = "/learner/one_values.py"
START = """
import jax
import jax.numpy as jnp

x = jnp.linspace(1.0, 3.0, 16)
column = x[:, None]
one = jnp.linspace(-1.0, 1.0, 16)[None]
"""


@pytest.fixture(autouse=True)
def empty_caches() -> Iterator[None]:
    """Clear jax's caches, so that each test compiles its programs."""
    jax.clear_caches()
    yield
    jax.clear_caches()


def found_in(text: str) -> list[tuple[str, str, str]]:
    """Return the operation, the form and the value of each observation of a program."""
    seen = observe(START + dedent(text), FILE)
    return [(it.name, it.form, it.value) for it in seen if isinstance(it, OneValue)]


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("jax.nn.softmax(column, axis=1)", [("sub", "axis", "1")]),
        ("jax.nn.log_softmax(column)", [("sub", "axis", "0")]),
        ("(one - one.mean(axis=0))", [("sub", "axis", "0")]),
        ("column / column.sum(axis=1, keepdims=True)", [("div", "axis", "1")]),
        ("jnp.std(column, axis=1)", [("sub", "axis", "0")]),
        ("jnp.tanh(100 * x)", [("tanh", "saturated", "1")]),
        ("jnp.exp(-1000 * x)", [("exp", "saturated", "0")]),
        ("jnp.clip(x, 1.0, 0.0)", [("min", "bound", "0")]),
        ("jax.nn.relu(x - 5)", [("max", "bound", "0")]),
        ("(x / 4).astype(int)", [("convert_element_type", "cut", "0")]),
        ("(1e9 + x)", [("add", "lost", "1e+09")]),
        ("jax.nn.softmax(column, axis=0)", []),
        ("jnp.tanh(x)", []),
        ("jax.nn.relu(x)", []),
        ("(x - x)", []),
        ("(x * 0.0)", []),
        ("jnp.where(x > 5, x, 0.0)", []),
        ("jnp.maximum(jnp.zeros(16), 0.0)", []),
        ("jnp.exp(x - jax.lax.stop_gradient(x))", []),
    ],
)
@pytest.mark.parametrize("way", ["jax.jit(lambda: 2 * ({}))()", "print(2 * ({}))"])
def test_an_operation_that_makes_one_value_of_many_is_found(
    expression: str, found: list[tuple[str, str, str]], way: str
) -> None:
    """It is found inside compiled programs and outside, if another expression uses the result."""
    assert found_in(way.format(expression)) == found


def test_one_other_value_in_a_later_call_is_enough() -> None:
    """A result that varies in any call that was looked at is not reported."""
    text = """
    def squashed(x):
        return 2 * jnp.tanh(x)

    for scale in (100.0, 50.0, 0.5):
        SQUASHED(scale * x)
    """
    assert found_in(text.replace("SQUASHED", "squashed")) == []
    assert found_in(text.replace("SQUASHED", "jax.jit(squashed)")) == []
    assert found_in(text.replace("SQUASHED", "squashed").replace("0.5", "20.0")) != []


def test_a_derivative_that_is_one_everywhere_is_not_reported() -> None:
    """The derivative of `relu` is 1 for each positive number; only the backward pass uses it."""
    gradient = "jax.grad(lambda x: (jax.nn.relu(x) ** 2).sum())"
    assert found_in(f"{gradient}(x)") == []
    assert found_in(f"jax.jit({gradient})(x)") == []


def test_a_result_that_only_a_derivative_reads_is_not_reported() -> None:
    """In a function that is differentiated, another expression has to use the result."""
    text = "jax.jit(jax.grad(lambda x: (x + 0 * jnp.tanh(100 * x)).sum()))(x)"
    assert found_in(text) == [("tanh", "saturated", "1")]
    assert found_in(text.replace("0 * jnp.tanh(100 * x)", "jax.nn.relu(x)")) == []
