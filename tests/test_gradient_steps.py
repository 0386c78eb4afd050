"""Tests what the gradients of compiled steps show about a training."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

import jax
import pytest

from jaxtutor.core.data.observations import (
    NoMinimum,
    NotConjugated,
    Observation,
    StayAlike,
    StepsUp,
)
from observed_program import observe

FILE = "/learner/steps.py"
STEP = """
import jax
import jax.numpy as jnp

x = jnp.sin(jnp.arange(24.0)).reshape(8, 3)
y = 1.5 * x[:, 0] + 0.2

def predict(params):
    return jnp.tanh(x @ params["first"]) @ params["second"] + params["bias"]

def step(params):
    def loss(params):
        return LOSS
    grads = jax.grad(loss)(params)
    return jax.tree.map(lambda p, g: MOVED, params, grads)

params = {"first": jnp.eye(3), "second": jnp.ones(3), "bias": jnp.float32(0.1)}
"""
LOOP = """
step = jax.jit(step)
for _ in range(24):
    params = step(params)
"""
SCAN = """
params, _ = jax.lax.scan(lambda params, _: (step(params), None), params, length=24)
"""


@pytest.fixture(autouse=True)
def empty_caches() -> Iterator[None]:
    """Clear jax's caches, so that each test compiles its programs."""
    jax.clear_caches()
    yield
    jax.clear_caches()


def seen_in(loss: str, moved: str, loop: str = LOOP) -> list[Observation]:
    """Return what is observed of the steps of a training."""
    text = dedent(STEP).replace("LOSS", loss).replace("MOVED", moved) + loop
    return [it for it in observe(text, FILE) if isinstance(it, NoMinimum | StepsUp)]


@pytest.mark.parametrize("loop", [LOOP, SCAN])
def test_a_loss_that_is_linear_in_a_leaf_has_no_minimum(loop: str) -> None:
    """Steps that go on in one direction, whatever the leaf is, are named with the leaf."""
    (seen,) = seen_in("jnp.mean(predict(params) - y)", "p - 0.1 * g", loop)
    assert isinstance(seen, NoMinimum)
    assert (seen.path, seen.count) in (("params['bias']", 1), ("params['second']", 2))


@pytest.mark.parametrize(
    "loss",
    [
        "jnp.mean((predict(params) - y) ** 2)",
        "jnp.mean(jnp.abs(predict(params) - y))",
        "jnp.mean(jax.nn.relu(1.0 - predict(params) * y))",
        "-jnp.mean(y * jax.nn.log_sigmoid(predict(params)) + params['bias'] * 0.0)",
    ],
)
@pytest.mark.parametrize("loop", [LOOP, SCAN])
def test_a_loss_with_a_minimum_is_not_named(loss: str, loop: str) -> None:
    """Squares, absolute values, margins and logarithms of probabilities bend the loss."""
    assert seen_in(loss, "p - 0.1 * g", loop) == []


def test_parameters_that_are_clipped_are_not_named() -> None:
    """A linear function of parameters within bounds has a minimum."""
    assert seen_in("jnp.mean(predict(params))", "jnp.clip(p - 0.5 * g, -1.0, 1.0)") == []


def test_steps_along_a_growing_gradient_are_named() -> None:
    """Steps up a loss that has no largest value make its gradient larger and larger."""
    (seen,) = seen_in("jnp.mean((predict(params) - y) ** 2)", "p + 0.1 * g")
    assert isinstance(seen, StepsUp)


def test_steps_up_to_a_maximum_are_not_named() -> None:
    """Steps along the gradient of a likelihood, which has a maximum, are meant."""
    assert seen_in("-jnp.mean((predict(params) - y) ** 2)", "p + 0.1 * g") == []


LAYERS = """
import jax
import jax.numpy as jnp

x = jnp.sin(jnp.arange(24.0)).reshape(8, 3)
y = jnp.cos(jnp.arange(8.0))

def loss(params, x, y):
    hidden = jnp.tanh(x @ params["first"] + params["bias"])
    return jnp.mean(((hidden @ params["second"])[..., 0] - y) ** 2)

@jax.jit
def step(params):
    grads = jax.grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)

shapes = {"first": (3, 4), "bias": (4,), "second": (4, 1)}
key = jax.random.key(0)
drawn = {n: jax.random.normal(jax.random.fold_in(key, s[0]), s) for n, s in shapes.items()}
params = START
for _ in range(6):
    params = step(params)
"""


def alike_in(start: str) -> list[StayAlike]:
    """Return what is seen of units that stay alike in a training that begins with `start`."""
    seen = observe(LAYERS.replace("START", start), FILE)
    return [it for it in seen if isinstance(it, StayAlike)]


@pytest.mark.parametrize("value", ["jnp.ones(s)", "jnp.full(s, 0.1)"])
def test_units_that_begin_alike_stay_alike(value: str) -> None:
    """A layer all of whose weights are one number is named with the leaves on both sides."""
    (seen,) = alike_in(f"{{n: {value} for n, s in shapes.items()}}")
    assert ("params['first']", "params['second']", 4) == (seen.path, seen.other, seen.count)


@pytest.mark.parametrize(
    "start",
    [
        "drawn",
        "{**drawn, 'bias': jnp.ones(4)}",
        "{**drawn, 'first': jnp.ones((3, 4))}",
        "{**drawn, 'second': jnp.zeros((4, 1))}",
        "{n: jnp.zeros(s) for n, s in shapes.items()}",
    ],
)
def test_units_that_become_different_are_not_named(start: str) -> None:
    """It is enough that the weights on one side differ; all zeros have no gradient at all."""
    assert [] == alike_in(start)


COMPLEX = """
import jax
import jax.numpy as jnp

target = jnp.exp(1j * jnp.arange(4.0)) + 2.0
loss = LOSS

def step(z):
    g = jax.grad(loss, OPTIONS)(z)
    return z - 0.05 * MOVED

z = jnp.ones(4, complex) * (0.3 + 0.7j)
"""
DISTANCE = "lambda z: jnp.sum(jnp.abs(z**2 - target) ** 2)"


@pytest.mark.parametrize("loop", ["step = jax.jit(step)\n", ""])
@pytest.mark.parametrize(
    ("loss", "options", "moved", "is_named"),
    [
        (DISTANCE, "", "g", True),
        (DISTANCE, "", "g / jnp.abs(g)", True),
        (DISTANCE, "", "g.conj()", False),
        (DISTANCE, "", "g.conj() / jnp.abs(g)", False),
        ("lambda z: jnp.sum(z**3 - target * z)", "holomorphic=True", "g", False),
        ("lambda z: jnp.sum((z - target.real).real ** 2)", "", "g", False),
    ],
)
def test_complex_numbers_step_along_the_conjugate(
    loop: str, loss: str, options: str, moved: str, is_named: bool
) -> None:
    """A step along the gradient of a real function itself is named, compiled or not."""
    text = COMPLEX.replace("LOSS", loss).replace("OPTIONS", options).replace("MOVED", moved)
    seen = observe(f"{text}{loop}for _ in range(5):\n    z = step(z)\n", FILE)
    assert is_named == any(isinstance(it, NotConjugated) for it in seen)
