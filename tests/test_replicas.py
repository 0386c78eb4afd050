"""Tests of how the results of a mapped function that depend on the device are found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

from jaxtutor.worker.watching import replicas

MESH = Mesh(jax.devices()[:1], ("batch",))


def found(function: Callable[..., Any]) -> list[replicas.Suspect]:
    """Return the results of a function, mapped over `x` but not `w`, that are not declared."""
    mapped = jax.shard_map(
        function, mesh=MESH, in_specs=(P(), P("batch")), out_specs=P(), check_vma=False
    )
    closed = jax.make_jaxpr(jax.jit(mapped))(jnp.ones(3), jnp.ones((4, 3)))
    return list(replicas.suspects(closed.jaxpr))


def slope(w: jax.Array, x: jax.Array) -> Any:
    """Return the gradient of a mean over a block."""
    return jax.grad(lambda w: jnp.mean((x @ w) ** 2))(w)


def step(w: jax.Array, x: jax.Array) -> Any:
    """Return weights after a step along the gradient of a block."""
    return w - jax.jit(slope)(w, x)


def loss_alone(w: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return an averaged loss, and weights after a step that is not averaged."""
    return jax.lax.pmean(jnp.mean(x), "batch"), step(w, x)


def averaged(w: jax.Array, x: jax.Array) -> Any:
    """Return weights after an averaged step."""
    return w - jax.lax.pmean(slope(w, x), "batch")


def gathered(w: jax.Array, x: jax.Array) -> Any:
    """Return a number that all devices compute from all blocks."""
    return w * jax.lax.all_gather(x, "batch").sum()


def scaled(w: jax.Array, x: jax.Array) -> jax.Array:
    """Return weights divided by the norm of a block."""
    return w / jnp.sqrt(jnp.sum(x**2))


@pytest.mark.parametrize(("function", "outputs"), [(step, [0]), (loss_alone, [1])])
def test_an_unreduced_result_is_found(function: Callable[..., Any], outputs: list[int]) -> None:
    """A result that depends on the block of a device is found, with its axis and its position."""
    seen = found(function)
    assert [("batch", n) for n in outputs] == [(*it.axes, it.output) for it in seen]


@pytest.mark.parametrize("function", [averaged, gathered])
def test_a_reduced_result_is_silent(function: Callable[..., Any]) -> None:
    """A result that a collective combines is the same on all devices."""
    assert [] == found(function)


@pytest.mark.parametrize(
    ("function", "line", "form"),
    [(step, "return w - jax.jit(slope)(w, x)", "gradient"), (scaled, "return w / jnp", "block")],
)
def test_the_origin_is_named(function: Callable[..., Any], line: str, form: str) -> None:
    """The origin is the gradient, or the sum over one block that scales a result."""
    (suspect,) = found(function)
    frame, seen = replicas.origin(suspect, lambda file: file == __file__)
    assert form == seen
    assert frame is not None
    text = Path(__file__).read_text().splitlines()[frame.span.line - 1]
    assert line in text
