"""Tests where one float32 operand turns a half-precision computation into float32."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtutor.worker.internals import places
from jaxtutor.worker.watching.promotions import Promotions

HALF = jnp.bfloat16
X = jnp.ones((4, 8), HALF)
W = jnp.ones((8, 8), HALF)
TABLE = np.ones((4, 8), np.float32)


def layers(x: Any, w: Any) -> Any:
    """Multiply by a matrix three times."""
    return reduce(lambda x, w: jax.nn.gelu(x @ w), [w] * 3, x)


def stream(x: Any, w: Any) -> Any:
    """Add to a residual connection what three layers in half precision compute."""
    return reduce(lambda x, w: x + x.astype(HALF) @ w, [w] * 3, x)


def promoting(function: Callable[..., Any], *args: Any) -> list[tuple[int | None, int]]:
    """Return for each promotion its input and how many operands were converted because of it."""
    promotions = Promotions(lambda e: places.is_promotion(e.source_info, lambda f: f == __file__))
    found = promotions.read(jax.make_jaxpr(function)(*args).jaxpr)
    return [(it.origin, it.converted) for it in found]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x, w, table: layers(x + TABLE, w), [(None, 3)]),
        (lambda x, w, table: layers(x + table, w), [(2, 3)]),
        (lambda x, w, table: stream(x + table, w), [(2, 3)]),
        (lambda x, w, table: jax.nn.softmax(x @ x.T / np.sqrt(8)) @ x @ w, [(None, 2)]),
        (lambda x, w, table: jax.jit(layers)(jnp.where(x > 0, x, table), w), [(2, 3)]),
    ],
)
def test_one_float32_operand_promotes_what_follows(
    function: Callable[..., Any], expected: list[tuple[int | None, int]]
) -> None:
    """The operation that met the operand is found, and what it promoted after that is counted."""
    assert expected == promoting(function, X, W, jnp.asarray(TABLE))


@pytest.mark.parametrize(
    "function",
    [
        lambda x, w, table: stream(x.astype(jnp.float32) + table, w),
        lambda x, w, table: layers((x * table).astype(HALF), w),
        lambda x, w, table: layers(x * 0.5 / 8**0.5, w),
        lambda x, w, table: jnp.mean((layers(x, w) * table) ** 2),
        lambda x, w, table: jax.grad(lambda w: jnp.mean((layers(x, w) * table) ** 2))(w),
        lambda x, w, table: table + jax.grad(lambda x: jnp.sum(layers(x, w)))(x),
        lambda x, w, table: layers(table, w.astype(jnp.float32)),
    ],
)
def test_what_is_asked_for_or_ends_soon_is_silent(function: Callable[..., Any]) -> None:
    """A conversion that is written down is meant; a loss and an update may be in float32."""
    assert [] == promoting(function, X, W, jnp.asarray(TABLE))
