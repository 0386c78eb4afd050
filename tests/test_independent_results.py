"""Tests of results that do not depend on what they are differentiated with respect to."""

from __future__ import annotations

from textwrap import dedent

import pytest

from jaxtutor.core.data.observations import IndependentResult
from observed_program import observe

FILE = "/learner/independent.py"
PRELUDE = """
import functools
import jax
import jax.numpy as jnp

x, y = jnp.cos(jnp.arange(12.0)).reshape(4, 3), jnp.ones(4)
params = {"w": jnp.arange(3.0), "b": jnp.array(0.5)}
predict = lambda p, x: jnp.tanh(x @ p["w"] + p["b"])
"""


def said(source: str) -> list[IndependentResult]:
    """Run a program under observation, and return the results that depend on no parameter."""
    text = PRELUDE + dedent(source)
    return [it for it in observe(text, FILE) if isinstance(it, IndependentResult)]


def line_of(source: str, part: str) -> int:
    """Return the line of a program that has some text."""
    lines = (PRELUDE + dedent(source)).splitlines()
    return next(n for n, line in enumerate(lines, 1) if part in line)


LOSS = """
def loss(p, x, y):
    guess = predict(p, x)
    return jnp.mean((y - y) ** 2 + jnp.log(y))
"""


@pytest.mark.parametrize(
    "call",
    [
        "jax.grad(loss)(params, x, y)",
        "jax.jit(jax.value_and_grad(loss))(params, x, y)",
        "jax.grad(jax.jit(loss))(params, x, y)",
        "jax.grad(functools.partial(loss, y=y))(params, x)",
        "jax.grad(jax.checkpoint(loss))(params, x, y)",
        "jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(params, x[:, None], y[:, None])",
    ],
)
def test_a_loss_without_the_parameters_is_found_however_it_is_differentiated(call: str) -> None:
    """The result's line is recorded, and the last value that is computed and dropped."""
    (seen,) = said(LOSS + call)
    assert seen.frame is not None
    assert seen.frame.span.line == line_of(LOSS, "return jnp.mean")
    assert seen.dropped is not None
    assert seen.dropped.span.line == line_of(LOSS, "guess = ")


def test_function_and_argument_are_named() -> None:
    """The names are those of the learner's function and its parameter."""
    (seen,) = said(LOSS + "jax.grad(loss, argnums=1)(params, x, jnp.sin(y))")
    assert (seen.name, seen.argument) == ("loss", "x")


def test_a_method_is_named_without_its_object() -> None:
    """The argument of a bound method is counted after `self`."""
    source = """
    class Model:
        def loss(self, weights, y):
            return jnp.sum(y**2)

    jax.grad(Model().loss)(x, y)
    """
    (seen,) = said(source)
    assert (seen.name, seen.argument, seen.dropped) == ("loss", "weights", None)


RIGHT = {
    "constant": "jax.grad(lambda p: jnp.zeros(()))(x)",
    "literal": "jax.grad(lambda p: 0.0)(x)",
    "zero penalty": "jax.grad(lambda p: 0.5 * jnp.sum(jnp.zeros(3)))(x)",
    "zero by value": "jax.grad(lambda w: jnp.sum(jax.nn.relu(w) * y))(-y)",
    "zero factor": "jax.grad(lambda w, on: on * jnp.sum(w))(y, 0.0)",
    "other branch": "jax.grad(lambda w: jax.lax.cond(False, jnp.sum, lambda w: y[0], w))(y)",
    "some leaves": "jax.grad(lambda p: jnp.sum(x @ p['w']))(params)",
    "stopped": "jax.grad(lambda p: jnp.sum(y * jax.lax.stop_gradient(p)))(y)",
    "integers": "jax.grad(lambda p: y[jnp.argmax(p)])(y)",
    "scan": "jax.grad(lambda p: jax.lax.scan(lambda c, r: (c + r, c), y[0], p)[0])(y)",
}


@pytest.mark.parametrize("source", RIGHT.values(), ids=RIGHT)
def test_a_gradient_that_is_zero_for_another_reason_is_not_recorded(source: str) -> None:
    """A constant result, and one that depends on its argument in some way, say nothing."""
    assert said(source) == []


def test_unpacking_an_argument_computes_nothing() -> None:
    """An argument that is only taken apart has no value that is dropped."""
    (seen,) = said("def f(q, v):\n    a, b, c = q\n    return jnp.sum(v**2)\njax.grad(f)(x[0], y)")
    assert seen.dropped is None


def test_what_the_auxiliary_result_reads_is_not_dropped() -> None:
    """A value that is returned beside the result is read."""
    source = "jax.grad(lambda p, y: (jnp.sum(y), jnp.sin(p)), has_aux=True)(x, y)"
    (seen,) = said(source)
    assert seen.dropped is None
