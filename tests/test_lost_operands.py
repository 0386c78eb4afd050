"""Tests what is reported about operands that were lost before an operation made an infinity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxtutor.core.data.observations import LostOperand, RankCut
from jaxtutor.worker.watching.non_finite import Origin
from test_program_walk import Walked

SMALL = jnp.full(60, 0.1)
CLOCK = 1_700_000_000.0
HEAVY = jnp.array([1.0, 1.0, 1e5])


def origin(function: Callable[..., Any], *args: Any) -> Origin | None:
    """Return where the first NaN or infinity in a result comes from."""
    walked = Walked(own=__file__)
    (out,) = walked.run(function, *args)
    assert out is not None
    return walked.origins.of(out.narrow)


@pytest.mark.parametrize(
    ("function", "x", "kind", "exact"),
    [
        (lambda x: jnp.log(jnp.prod(x)), SMALL, "underflow", "1e-60"),
        (lambda x: 1.0 / jnp.exp(-x), jnp.float32(200.0), "underflow", "1.3839e-87"),
        (lambda x: x[0] / (x[1] * 1e-30 * 1e-30), SMALL, "underflow", "1e-61"),
        (lambda n: 1.0 / 256**n, jnp.arange(5), "wrapped", "4.29497e+09"),
        (lambda n: 1.0 / jnp.cumprod(n), jnp.full(33, 2), "wrapped", "4.29497e+09"),
    ],
)
def test_a_lost_operand_is_named(
    function: Callable[[Any], Any], x: Any, kind: LostOperand, exact: str
) -> None:
    """The operand is named that is another one in 64 bits, where the result is finite."""
    found = origin(function, x)
    assert found is not None
    assert found.lost is not None
    assert found.lost.kind == kind
    assert float(found.lost.exact) == pytest.approx(float(exact), rel=1e-4)


def test_digits_that_were_given_and_lost_are_named() -> None:
    """A difference of two times is 20 seconds in 64 bits, and 0 in float32."""
    found = origin(lambda start, end: 5.0 / (end - start), CLOCK, CLOCK + 20)
    assert found is not None
    assert found.lost is not None
    assert (found.lost.kind, found.lost.exact) == ("rounded", "20")


@pytest.mark.parametrize(
    ("function", "x"),
    [
        (lambda x: 1.0 / x, jnp.zeros(3)),
        (lambda x: x * x, jnp.full(3, 1e30)),
        (lambda x: (x - x.mean()) / x.std(), jnp.full(4, 4.0)),
        (lambda x: jnp.log(x - x), SMALL),
    ],
)
def test_an_operand_that_lost_nothing_is_not_blamed(function: Callable[[Any], Any], x: Any) -> None:
    """An operand that is the same in 64 bits is what makes the infinity."""
    found = origin(function, x)
    assert found is not None
    assert found.lost is None


@pytest.mark.parametrize("is_reversed", [False, True])
def test_the_first_wrong_round_of_a_long_loop_is_evaluated(is_reversed: bool) -> None:
    """A division by zero in the middle of a loop is found, though only some rounds are walked."""

    def run(x: Any) -> Any:
        def body(x: Any, n: Any) -> Any:
            return x, x / (n - 3711.0)

        return jax.lax.scan(body, x, jnp.arange(5000.0), reverse=is_reversed)[1]

    found = origin(run, 1.0)
    assert found is not None
    assert found.detail == "1 / 0 is inf"


def test_the_first_wrong_round_of_a_while_loop_is_evaluated() -> None:
    """A division by zero is found in a round that is run at once with others."""

    def run(x: Any) -> Any:
        return jax.lax.while_loop(
            lambda c: c[0] < 5000.0, lambda c: (c[0] + 1.0, c[1] + 1.0 / (c[0] - 4000.0)), (0.0, x)
        )[1]

    found = origin(run, 1.0)
    assert found is not None
    assert found.detail == "1 / 0 is inf"


def notes(function: Callable[..., Any], *args: Any) -> list[Any]:
    """Return what is recorded of matrices."""
    walked = Walked(own=__file__)
    walked.run(function, *args)
    return [seen for seen, _ in walked.notes if isinstance(seen, RankCut)]


def test_singular_values_that_a_threshold_leaves_out_are_counted() -> None:
    """Columns of ordinary numbers are left out beside one that is much larger."""
    x = jax.random.normal(jax.random.key(0), (3000, 3)) * HEAVY
    (seen,) = notes(lambda a: jnp.linalg.lstsq(a, a[:, 0])[0], x)
    assert seen.detail == "1 of 3"


@pytest.mark.parametrize(
    "function",
    [
        lambda x: jnp.linalg.lstsq(x, x[:, 0])[0],
        lambda x: jnp.linalg.pinv(x * 1e5),
        lambda x: jnp.linalg.matrix_rank(jnp.outer(x[:, 0], x[:, 1]) + 0.0 * x[:, 2:]),
        lambda x: jnp.linalg.solve(x.T @ x + jnp.identity(3), x.T @ x[:, 0]),
        lambda x: x @ jnp.linalg.inv(x.T @ x),
    ],
)
def test_usual_matrices_are_silent(function: Callable[[Any], Any]) -> None:
    """What has the rank that it has in 64 bits is not recorded."""
    assert notes(function, jax.random.normal(jax.random.key(0), (40, 3))) == []
