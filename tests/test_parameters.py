"""Tests of the sentence about parameters in another order than in the starter."""

from __future__ import annotations

import pytest

from jaxtutor.core.judging.parameters import say_swapped

STARTER = """
def make_model(W):
    @jax.jit
    def forward(weights, x):
        return x

    return forward, W
"""


def swap(text: str) -> str:
    """Swap the parameters of `forward`."""
    return text.replace("(weights, x)", "(x, weights)")


def test_a_function_with_swapped_parameters_is_named() -> None:
    """The sentence names the function and both orders, also of a function inside another."""
    assert say_swapped(STARTER, swap(STARTER)) == (
        "`forward` is called with (weights, x), in this order; yours takes (x, weights)."
    )
    assert "`f`" in say_swapped("def f(a, *, b): ...\ndef f(a, b): ...", "def f(b, a): ...")


@pytest.mark.parametrize(
    "source",
    [
        STARTER,
        STARTER.replace("weights", "w"),
        swap(STARTER).replace("return forward, W", "return jax.jit(lambda w, x: forward(x, w)), W"),
        swap(STARTER).replace("make_model", "another"),
        "def make_model(:",
    ],
)
def test_other_functions_get_no_message(source: str) -> None:
    """The same order, other names, and a function that the submission calls itself are fine."""
    assert say_swapped(STARTER, source) == ""


@pytest.mark.parametrize("tail", [".a" * 1500, ".a" * 10_000, " if x else x" * 10_000])
def test_deep_nesting_gets_no_message(tail: str) -> None:
    """A text that Python cannot parse has no functions; one that it can is walked to its end."""
    assert say_swapped(STARTER, f"x = x{tail}\n") == ""


def test_a_function_below_deep_nesting_is_named() -> None:
    """An expression that is nested 1500 times does not end the search."""
    assert "`forward`" in say_swapped(STARTER, f"x = x{'.a' * 1500}\n{swap(STARTER)}")
