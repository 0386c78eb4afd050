"""Tests which new values for arguments of a program count as lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxtutor.worker.internals import tracers
from jaxtutor.worker.watching.lost_states import common_path, lost_states

Function = Callable[..., Any]
MATRIX, ROW = jnp.ones((3, 3)), jnp.ones(3)
TREE = {"mean": jnp.zeros(3), "var": jnp.ones(3)}


def found_in(function: Function, *args: Any) -> list[tuple[str, str]]:
    """Return the form and the names of the arguments of each state that a function loses."""
    found = lost_states(jax.jit(function).trace(*args).jaxpr.jaxpr)
    return [
        (lost.form, common_path([tracers.argument_name(lost.program, n) for n in lost.arguments]))
        for lost in found
    ]


@pytest.mark.parametrize(
    ("function", "found"),
    [
        (lambda state, w: (0.9 * state + 0.1 * w, w * 2)[1], "state"),
        (lambda w, state: (jax.nn.relu(state) + w, w * 2)[1], "state"),
        (lambda state, w: (jax.lax.scan(lambda s, x: (s + x, None), state, w), w * 2)[1], "state"),
        (lambda state, w: (0.9 * state + w, state + w)[1], ""),
        (lambda state, w: (2.0 * state, w * 2)[1], ""),
        (lambda x, bias: (MATRIX @ x + bias, MATRIX)[1], ""),
        (lambda x, weights: (x * weights.sum(), x * 2)[1], ""),
    ],
)
def test_new_values_of_arguments_that_nothing_reads_are_found(
    function: Function, found: str
) -> None:
    """A new value has the type of one argument, which is read for nothing else."""
    assert [("", found)] * bool(found) == found_in(function, ROW, ROW)


def averaged(state: Any, x: Any) -> Any:
    """Return the next averages."""
    return jax.tree.map(lambda s: 0.9 * s + 0.1 * x, state)


def normalized(state: Any, x: Any) -> Any:
    """Compute the next averages, and return the last ones."""
    averaged(state, x)
    return state, (x - state["mean"]) / state["var"]


def loss(w: Any, state: Any, x: Any) -> Any:
    """Return a loss, and the next averages."""
    return ((w * x - state["mean"]) ** 2).sum(), averaged(state, x)


def trained(w: Any, state: Any, x: Any) -> Any:
    """Make a step, and return the averages as they were."""
    (value, _), grad = jax.value_and_grad(loss, has_aux=True)(w, state, x)
    return w - 0.1 * grad, state, value


def not_trained(params: Any, x: Any) -> Any:
    """Compute the next parameters, and return the last ones."""
    value, grad = jax.value_and_grad(lambda p: (p["mean"] * p["var"] * x).sum())(params)
    jax.tree.map(lambda p, g: p - 0.1 * g, params, grad)
    return params, value


@jax.jit
def compiled(state: Any, x: Any) -> Any:
    """Return the next averages from a compiled function."""
    return averaged(state, x), x + 1


@pytest.mark.parametrize(
    ("function", "args", "found"),
    [
        (normalized, (TREE, ROW), "state"),
        (trained, (ROW, TREE, ROW), "state"),
        (not_trained, (TREE, ROW), "params"),
        (lambda s, x: (compiled(s, x), s, x + 1)[1:], (TREE, ROW), "s"),
        (lambda s, x: (averaged(s, x), s, x + 1)[1:], (ROW, ROW), "s"),
        (lambda s, x: ({**averaged(s, x), **s}, x + 1), (TREE, ROW), "s"),
        (lambda a, x: ((a["m"] @ x) + a["b"], a, x + 1)[1:], ({"m": MATRIX, "b": ROW}, ROW), ""),
        (lambda s, x: (averaged(s, x), s), (TREE, ROW), ""),
        (lambda s, x: (jnp.where(x.sum() > 0, *map(jnp.sum, (s, x))), s), (ROW, ROW), ""),
        (lambda s, x: (s * 2, s, x)[1:], (ROW, ROW), ""),
        (lambda s, x: (s, (s["mean"] * x).sum()), (TREE, ROW), ""),
    ],
)
def test_arguments_that_are_returned_in_place_of_new_values_are_found(
    function: Function, args: tuple[Any, ...], found: str
) -> None:
    """More than one leaf of a tree has a new value, and the program returns the old ones."""
    assert [("returned", found)] * bool(found) == found_in(function, *args)


def rolled(body: Function) -> Function:
    """Return a function that scans."""
    return lambda state, xs: jax.lax.scan(body, state, xs)


def with_closure(state: Any, xs: Any) -> Any:
    """Read an array from outside of the body of a scan, and compute from it in vain."""
    return jax.lax.scan(lambda c, x: (averaged(state, x), (c + x, c))[1], xs[0], xs)


@pytest.mark.parametrize(
    ("function", "found"),
    [
        (rolled(normalized), "state"),
        (rolled(lambda s, x: (averaged(s, x), (s, x + 1))[1]), "s"),
        (jax.jit(rolled(normalized)), "state"),
        (lambda s, xs: jax.lax.fori_loop(0, 3, lambda i, c: normalized(c, xs[i])[0], s), "c"),
        (rolled(lambda s, x: (averaged(s, x), x + 1)), ""),
        (rolled(lambda s, x: (s, averaged(s, x))), ""),
        (with_closure, ""),
    ],
)
def test_states_that_a_round_returns_as_they_were_are_found(function: Function, found: str) -> None:
    """The body of a loop returns its state, and computes a new one that nothing reads."""
    forms = [(form, name) for form, name in found_in(function, TREE, jnp.ones((4, 3)))]
    assert [("carried", found)] * bool(found) == [it for it in forms if it[0] == "carried"]


def test_the_tree_of_some_leaves_is_named() -> None:
    """The path that leaves have in common is the tree that they belong to."""
    assert common_path(["state.mean['a']", "state.mean['b']"]) == "state.mean"
    assert common_path(["c[0]['a']['k']", "c[0]['b']['k']"]) == "c[0]"
    assert common_path(["w"]) == "w"
