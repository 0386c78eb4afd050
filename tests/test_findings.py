"""Tests the findings in programs that did not raise, made by reading them alone."""

from __future__ import annotations

from textwrap import dedent

import pytest

from jaxtutor.core.diagnosis.endless import find_endless
from jaxtutor.core.diagnosis.findings import find

HEAD = "import jax\nimport jax.numpy as jnp\n"


def read(source: str) -> list[tuple[str | None, str]]:
    """Give cause and expression of each finding that the source alone shows."""
    return [(d.cause, d.expression) for d in find((), {"f.py": HEAD + dedent(source)}, {})]


def endless(source: str) -> list[str]:
    """Give the conditions at which a program that was stopped may have waited."""
    return [d.expression for d in find_endless({"f.py": HEAD + dedent(source)}, {})]


def test_a_dropped_update_is_found() -> None:
    """An update that is a statement of its own is a finding at that call."""
    assert [("at-set-result-dropped", "x.at[0].set(1)")] == read("x = f()\nx.at[0].set(1)\n")


@pytest.mark.parametrize(
    "kept", ["y = x.at[0].set(1)", "x = x.at[0].add(1)", "print(x.at[0].get())", "s.set(1)"]
)
def test_a_kept_update_is_no_finding(kept: str) -> None:
    """An update whose result is used is right."""
    assert [] == read(f"x, s = f()\n{kept}\n")


@pytest.mark.parametrize("wrong", ["a < b & c", "x > 0 & x < 1", "m & a >= 3", "0 == a & b == c"])
def test_a_comparison_that_lost_its_operand_is_found(wrong: str) -> None:
    """`&` between comparisons without parentheses is a finding."""
    assert [("operator-precedence", wrong)] == read(f"r = {wrong}\n")


@pytest.mark.parametrize(
    "right", ["(a < b) & c", "n & 1 == 0", "a < (b & c)", "(a & b) > 0", "a & b", "a < b < c"]
)
def test_comparisons_that_are_meant_are_no_finding(right: str) -> None:
    """Parentheses, and the test of a bit, say that it is meant."""
    assert [] == read(f"r = {right}\n")


def test_leaves_beside_unsorted_keys_are_found() -> None:
    """Leaves come in sorted order; beside keys in written order they change places."""
    found = read("d = {'b': 1, 'a': 2}\nnew = dict(zip(d, jax.tree.leaves(d)))\n")
    assert [("dict-key-order", "zip(d, jax.tree.leaves(d))")] == found


def test_leaves_beside_sorted_keys_are_no_finding() -> None:
    """Where keys are written in order nothing goes wrong."""
    assert [] == read("d = {'a': 1, 'b': 2}\nnew = dict(zip(d, jax.tree.leaves(d)))\n")


def test_a_loop_that_waits_for_too_little_is_found() -> None:
    """A tolerance below the spacing of float32 explains a loop that never ended."""
    source = """
    TOL = 1e-10
    def cond(s):
        return abs(s[1] - s[0]) > TOL
    jax.lax.while_loop(cond, step, (0.0, 1.0))
    """
    assert ["abs(s[1] - s[0]) > TOL"] == endless(source)


@pytest.mark.parametrize(
    "source",
    [
        "while abs(d) > 1e-4:\n    d = d / 2\n",
        "jax.config.update('jax_enable_x64', True)\nwhile d > 1e-12:\n    d = g(d)\n",
        "while d > 1e-12:\n    d = g(d)\nwhile e > 1e-12:\n    e = g(e)\n",
    ],
)
def test_what_is_not_sure_is_not_said(source: str) -> None:
    """A tolerance that float32 can meet, 64 bits, or two such loops: nothing is said."""
    assert [] == endless(source)


def test_a_finding_has_no_error_class() -> None:
    """A finding raised nothing."""
    assert [None] == [d.error_class for d in find((), {"f.py": "x.at[0].set(1)\n"}, {})]


# ---------------------------------------------------------------- what never ended


def stopped(source: str) -> list[tuple[str | None, str]]:
    """Give the cause and expression of why a program that was stopped did not end."""
    return [(d.cause, d.expression) for d in find_endless({"f.py": HEAD + dedent(source)}, {})]


@pytest.mark.parametrize(
    ("source", "condition"),
    [
        (
            "def f(x, tol):\n    e = abs(x * x - 2)\n"
            "    return jax.lax.while_loop(lambda y: e > tol, lambda y: (y + 2 / y) / 2, x)\n",
            "e > tol",
        ),
        (
            "def go_on(c):\n    y, e = c\n    return e > 1e-3\n"
            "def step(c):\n    y, e = c\n    y = (y + 2 / y) / 2\n    return y, e\n"
            "jax.lax.while_loop(go_on, step, (1.0, 1.0))\n",
            "e > 1e-3",
        ),
        ("def f(x, e):\n    while e > 1e-3:\n        x = (x + 2 / x) / 2\n", "e > 1e-3"),
    ],
)
def test_a_condition_that_never_changes_is_named(source: str, condition: str) -> None:
    """A loop whose condition reads nothing that the loop changes is why a program did not end."""
    assert [("loop-condition-constant", condition)] == stopped(source)


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    return jax.lax.while_loop(lambda y: y > 1e-3, lambda y: y / 2, x)\n",
        "def f(x):\n"
        "    return jax.lax.while_loop(lambda c: c[1] > 0, lambda c: (c[0], c[1] - 1), x)\n",
        "def go_on(c):\n    y, n = c\n    return n > 0\n"
        "def step(c):\n    y, n = c\n    n = n - 1\n    return y, n\n"
        "jax.lax.while_loop(go_on, step, (1.0, 9))\n",
        "def f(x, e):\n    while e > 1e-3:\n        x = x / 2\n        e = abs(x)\n",
        "def f(q, n):\n    while n > len(q):\n        q.append(n)\n",
        "def f(q):\n    while q:\n        q.pop()\n",
        "def f(x, e):\n    while e > 1e-3:\n        if x < 1:\n            break\n"
        "        x = x / 2\n",
    ],
)
def test_a_condition_that_may_change_is_not_named(source: str) -> None:
    """A loop that can end is not said to be endless."""
    assert [] == stopped(source)


def test_a_long_loop_in_a_traced_function_is_named() -> None:
    """Where time ran out, the only Python loop of many rounds in a compiled function is named."""
    source = (
        "@jax.jit\ndef f(x):\n    for i in range(20_000):\n        x = jnp.sin(x)\n    return x\n"
    )
    assert [("unrolled-loop", "for i in range(20_000):")] == stopped(source)


@pytest.mark.parametrize(
    "source",
    [
        "@jax.jit\ndef f(x):\n    for i in range(3):\n        x = jnp.sin(x)\n    return x\n",
        "def f(x):\n    for i in range(20_000):\n        x = jnp.sin(x)\n    return x\n",
    ],
)
def test_a_loop_that_is_not_unrolled_or_short_is_not_named(source: str) -> None:
    """A short loop, and one outside a compiled function, are not said to be why it took long."""
    assert [] == stopped(source)
