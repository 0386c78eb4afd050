"""Tests which comparisons decide what the best number is, and which of them never find a better."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtutor.worker.watching.contests import Contest, challenges
from jaxtutor.worker.watching.wide_values import Value, alone

NUMBER, ROW = jnp.float32(1.0), jnp.ones(3)


def compared(function: Callable[..., Any], *args: Any) -> list[tuple[str, int]]:
    """Return the operations that decide about the last input, which is the last result too."""
    jaxpr = jax.make_jaxpr(function)(*args).jaxpr
    carried = {len(jaxpr.invars) - 1: len(jaxpr.outvars) - 1}
    return [(it.operation.primitive.name, it.operand) for it in challenges(jaxpr, carried)]


def kept_twice(row: jax.Array, best: jax.Array) -> jax.Array:
    """Compare an element, and select it, as two computations of one value."""
    return jnp.where(row[0] < best, row[0], best)


@pytest.mark.parametrize(
    ("function", "found"),
    [
        (lambda row, best: jnp.minimum(best, row.sum()), [("min", 1)]),
        (lambda row, best: jnp.where(best < row.sum(), row.sum(), best), [("lt", 1)]),
        (kept_twice, [("lt", 0)]),
        (lambda row, best: jnp.where(row.sum() < best, row.max(), best), []),
        (lambda row, best: jnp.minimum(0.9 * best, row.sum()), []),
        (lambda row, best: best + row.sum(), []),
        (lambda row, best: jnp.minimum(best, 2.0), []),
    ],
)
def test_what_decides_about_the_best_number_is_found(
    function: Callable[..., Any], found: list[tuple[str, int]]
) -> None:
    """A comparison counts if the number that wins it is the next best one."""
    assert compared(function, ROW, NUMBER) == found


def contest() -> Contest:
    """Return the contest of a program with the inputs `row` and `best`."""
    jaxpr = jax.make_jaxpr(kept_twice)(ROW, NUMBER).jaxpr
    (challenge,) = challenges(jaxpr, {1: 0})
    return Contest(challenge, "best")


def rounds(rows: Iterator[np.ndarray], numbers: Iterator[float]) -> Contest:
    """Return a contest after some rounds."""
    found = contest()
    for row, number in zip(rows, numbers, strict=False):
        given: list[Value | None] = [alone(np.asarray(row)), alone(np.float32(0.0))]
        found.begin_round(given)
        found.take(np.float32(number), None)
    return found


def moving() -> Iterator[np.ndarray]:
    """Yield rows that change in each round."""
    return (np.full(3, n, np.float32) for n in range(12))


@pytest.mark.parametrize(
    ("rows", "numbers", "is_idle"),
    [
        (moving(), iter([-0.5] * 12), True),
        (moving(), iter([-0.5] * 11 + [-0.6]), False),
        (moving(), iter([0.0] * 12), False),
        (moving(), iter([np.inf] * 12), False),
        (moving(), iter([-0.5] * 5), False),
        (iter([np.ones(3, np.float32)] * 12), iter([-0.5] * 12), False),
    ],
)
def test_a_number_that_is_always_the_same_never_wins_twice(
    rows: Iterator[np.ndarray], numbers: Iterator[float], is_idle: bool
) -> None:
    """The new number has to stay the same in several rounds, while what it comes from changes."""
    assert rounds(rows, numbers).is_idle == is_idle
