"""The key travels in the carry, and the map names its axes."""

from functools import partial

import jax
import jax.numpy as jnp


def mean_loss(params, x, y):
    """Return the mean squared error of the network."""
    units = jnp.tanh(x @ params["w1"] + params["b1"])
    return jnp.mean((units @ params["w2"] + params["b2"] - y) ** 2)


def init(key, columns):
    """Return fresh parameters, with 16 units."""
    first, second = jax.random.split(key)
    return {
        "w1": jax.random.normal(first, (columns, 16)),
        "b1": jnp.zeros(16),
        "w2": jax.random.normal(second, (16,)) / 4,
        "b2": jnp.zeros(()),
    }


@jax.jit(static_argnames="steps")
def train(key, X, y, steps):
    key, sub = jax.random.split(key)

    def step(carry, _):
        params, key = carry
        key, sub = jax.random.split(key)
        rows = jax.random.choice(sub, X.shape[0], (16,), replace=False)
        loss, grads = jax.value_and_grad(mean_loss)(params, X[rows], y[rows])
        params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
        return (params, key), loss

    (params, _), losses = jax.lax.scan(step, (init(sub, X.shape[1]), key), length=steps)
    return params, losses


def train_many(keys, X, y, steps):
    return jax.vmap(partial(train, steps=steps), in_axes=(0, None, None))(keys, X, y)
