"""Tests where the types of a run's arrays are shown."""

from __future__ import annotations

import sys

import jax
import jax.numpy as jnp
import pytest

from jaxtutor.core.data.facts import LocalTypes
from jaxtutor.language_server.type_hints import hints
from jaxtutor.worker.watching.local_types import FirstReturns


def places(source: str, *types: LocalTypes) -> list[str]:
    """Return the lines with hints, each as it is shown."""
    lines = source.splitlines()
    for hint in reversed(hints(source, types)):
        line = lines[hint.position.line].encode("utf-16-le")
        units = 2 * hint.position.character
        shown = line[:units] + str(hint.label).encode("utf-16-le") + line[units:]
        lines[hint.position.line] = shown.decode("utf-16-le")
    return [line.strip() for line in lines if ": float" in line]


def left(source: str, line: int, raised: bool = False) -> LocalTypes:
    """Return what a function `f`, or the file if it has none, held in a line: `x` and `y`."""
    name = "f" if "def f" in source else "<module>"
    return LocalTypes("a.py", name, line, (("x", "float32[3]"), ("y", "float32[]")), raised)


X, Y = "x: float32[3]", "y: float32[]"


@pytest.mark.parametrize(
    ("source", "line", "shown"),
    [
        ("def f(x):\n    y = x.sum()\n    return y\n", 3, [f"def f({X}):", f"{Y} = x.sum()"]),
        ("def f(x):\n    x = g(x)\n    return x\n", 3, [f"{X} = g(x)"]),
        ("def f(x):\n    if a:\n        x = g(x)\n    return x\n", 4, []),
        ("def f(x):\n    x = g(x)\n    if a:\n        x = h(x)\n    return x\n", 5, []),
        ("def f(x):\n    x = g(x)\n    return x\n    x = 1\n", 3, [f"{X} = g(x)"]),
        ("def f():\n    for i in r:\n        y = g(i)\n    return y\n", 4, [f"{Y} = g(i)"]),
        ("def f():\n    y = [x for x in r]\n    return y\n", 3, [f"{Y} = [x for x in r]"]),
        ("x = 1\nx = 2\n", 2, [f"{X} = 2"]),
        ("if __name__ == '__main__':\n    x = 1\n    x = 2\n", 3, [f"{X} = 2"]),
        ("s = '\U0001f642'; x = 1\n", 1, [f"s = '\U0001f642'; {X} = 1"]),
        ("def f(:\n", 1, []),
    ],
)
def test_a_type_stands_where_its_value_was_bound(source: str, line: int, shown: list[str]) -> None:
    """It is beside the only binding, or the last one that surely was run; else nowhere."""
    assert shown == places(source, left(source, line))


def test_a_statement_that_raised_has_bound_nothing() -> None:
    """In the frame of an exception, the line at fault still has the older value."""
    source = "def f(x):\n    y = g(x)\n    y = h(y)\n    y = k(y)\n"
    assert ["def f(x: float32[3]):", "y: float32[] = h(y)"] == places(
        source, left(source, 4, raised=True)
    )


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python 3.12 can report returns")
def test_the_first_return_of_a_function_is_recorded() -> None:
    """Its arrays are, with the line; later returns and other functions are not."""
    returns = FirstReturns(lambda file: file == __file__)

    def double(x: jax.Array, factor: float) -> jax.Array:
        y = factor * x
        return -y

    returns.start()
    double(jnp.ones(3), 2.0)
    double(jnp.ones(4), 2.0)
    returns.stop()
    double.__code__ = double.__code__.replace()  # another one, which may return for the first time
    double(jnp.ones(5), 2.0)

    line = double.__code__.co_firstlineno + 2
    names = (("x", "float32[3]"), ("y", "float32[3]"))
    assert (LocalTypes(__file__, "double", line, names),) == returns.types
