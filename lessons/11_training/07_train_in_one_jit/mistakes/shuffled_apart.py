# expects: check batches
# says: Your steps pair rows of `X` with other rows of `y`. Draw row numbers once in a step, and
#     use them for both.
"""Draws the rows of X with one key and those of y with another."""

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


def train(key, X, y, steps):
    start, shuffle = jax.random.split(key)

    def step(params, key):
        of_x, of_y = jax.random.split(key)
        x = jax.random.permutation(of_x, X)[:16]
        t = jax.random.permutation(of_y, y)[:16]
        loss, grads = jax.value_and_grad(mean_loss)(params, x, t)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss

    return jax.lax.scan(step, init(start, X.shape[1]), jax.random.split(shuffle, steps))


def train_many(keys, X, y, steps):
    return jax.vmap(lambda key: train(key, X, y, steps))(keys)
