"""What eqx-loss-grad asks for."""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom

JIT = False


class Factor(eqx.Module):
    """The model of the examples."""

    w: jax.Array

    def __call__(self, x):
        return self.w * x


class Model(eqx.Module):
    """A model with leaves of every kind."""

    layers: list
    order: jax.Array
    slope: float
    activation: Callable
    flag: Any = None

    def __call__(self, x):
        x = x[..., self.order]
        for weight, offset in self.layers:
            x = self.activation(x @ weight + offset)
        return self.slope * x.sum(axis=-1)


def build(seed, slope=0.5, activation=jnp.tanh):
    """Build a model from a seed."""
    rng = np.random.default_rng(seed)

    def some(*shape):
        return jnp.asarray(rng.normal(size=shape), jnp.float32)

    layers = [(some(3, 4), some(4)), (some(4, 2), some(2))]
    return Model(layers, jnp.array([2, 0, 1]), slope, activation, flag=7)


MODELS = {
    "tanh": lambda: build(0),
    "sin": lambda: build(1, activation=jnp.sin),
    "steep": lambda: build(0, slope=2.0),
}


def halved(model, x, y):
    """Return half of the mean squared error."""
    return jnp.mean((model(x) - y) ** 2) / 2


def subject(module):
    """Build a model, and list the arrays of its gradient."""

    def run(model, x, y):
        model = MODELS[model]() if isinstance(model, str) else Factor(jnp.asarray(model))
        loss, grads = module.eqx_loss_grad(halved)(model, x, y)
        return loss, jax.tree.leaves(grads)

    run.make = module.eqx_loss_grad
    return run


def f32(*numbers):
    """Make an array of floats."""
    return np.array(numbers, np.float32)


EXAMPLES = [
    Call(2.0, f32(1.0), f32(0.0)),
    Call(3.0, f32(2.0), f32(2.0)),
]


def hidden(rng):
    """Yield models with other leaves."""
    x, y = rng.normal(size=(5, 3)).astype(np.float32), rng.normal(size=5).astype(np.float32)
    yield Call("tanh", x, y).when("a float that is not an array")
    yield Call("sin", x, y).when("another activation function")
    yield Call("steep", x, y).when("another setting")


X, Y = np.linspace(-1, 1, 21, dtype=np.float32).reshape(7, 3), np.zeros(7, np.float32)


def structure(run):
    """Return how the gradient differs from the model in structure."""
    model = build(5)
    _, grads = run.make(halved)(model, X, Y)
    if type(grads) is not Model:
        return f"the gradient is a {type(grads).__name__}, not a model"
    for name in ("order", "slope", "activation", "flag"):
        if getattr(grads, name) is not None:
            return f"the gradient of `{name}` is {getattr(grads, name)!r}, not None"
    return None


def traces_once(run):
    """Return how often the loss is traced for several models of one structure."""
    runs = []

    def counted(model, x, y):
        runs.append(None)
        return halved(model, x, y)

    compiled = run.make(counted)
    answers = [compiled(build(seed), X, Y)[0] for seed in range(4)]
    if len(runs) != 1:
        return f"for four models of one structure, the loss ran {len(runs)} times"
    wanted = [halved(build(seed), X, Y) for seed in range(4)]
    if not np.allclose(answers, wanted, rtol=1e-4):
        return "the second model gets the loss of the first"
    other = compiled(build(0, slope=2.0), X, Y)[0]
    if not np.allclose(other, halved(build(0, slope=2.0), X, Y), rtol=1e-4):
        return "a model with another slope gets the loss of the first"
    return None


PROPERTIES = [
    Custom("structure", "The gradient is a model, with None for what has none.", structure),
    Custom("one-trace", "It is traced once for models of one structure.", traces_once),
]
