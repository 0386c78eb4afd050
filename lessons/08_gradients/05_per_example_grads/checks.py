"""What per-example-grads asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, SameSize, Types

STATIC = ("loss",)


def loss(params, x, y):
    return (params["w"] @ x + params["b"] - y) ** 2


def two_layers(params, x, y):
    """A loss whose parameters are nested."""
    first, (second,) = params
    return jnp.abs(jnp.tanh(first @ x) @ second - y)


PARAMS = {"w": np.array([1.0, 0.0], np.float32), "b": np.array(0.0, np.float32)}
XS = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)

EXAMPLES = [
    Call(loss, PARAMS, XS, np.array([0.0, 1.0], np.float32)).gives(
        {"w": [[2.0, 4.0], [12.0, 16.0]], "b": [2.0, 4.0]}
    ),
    Call(loss, PARAMS, XS, np.array([1.0, 3.0], np.float32)).gives(
        {"w": [[0.0, 0.0], [0.0, 0.0]], "b": [0.0, 0.0]}
    ),
]


def deep(rng):
    """Return a call with nested parameters and three examples."""
    first, second, xs, ys = (
        rng.normal(size=size).astype(np.float32) for size in ((4, 2), 4, (3, 2), 3)
    )
    return Call(two_layers, (first, [second]), xs, ys)


def hidden(rng):
    """Nested parameters, and a single example."""
    yield deep(rng).when("nested parameters")
    yield batch(1).when("a single example")


def batch(count):
    """Return a call with this many examples."""
    return Call(loss, PARAMS, np.ones((count, 2), np.float32), np.zeros(count, np.float32))


def mean_differs(per_example):
    """Report a mean of the gradients that is not the gradient of the mean."""
    xs, ys = np.cos(np.arange(6, dtype=np.float32)).reshape(3, 2), np.arange(3, dtype=np.float32)
    each = per_example(loss, PARAMS, xs, ys)

    def mean_loss(params):
        return jax.vmap(loss, in_axes=(None, 0, 0))(params, xs, ys).mean()

    whole = jax.grad(mean_loss)(PARAMS)
    same = all(np.allclose(each[name].mean(0), whole[name], atol=1e-4) for name in whole)
    return None if same else "the mean of the gradients is not the gradient of the mean loss"


FIXED = np.random.default_rng(3)

PROPERTIES = [
    Types([deep(FIXED)], says="Every leaf has the examples along a new first axis."),
    SameSize([batch(3), batch(30)], says="Thirty examples take no more equations than three."),
    Custom("mean", "Their mean is the gradient of the mean loss.", mean_differs),
]
