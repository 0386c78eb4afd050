# expects: check batches
# says: Your rows are shuffled once, and after four steps they come again in the same groups. Each
#     step draws its rows with a key of its own.
"""Shuffles once, and takes the pieces in turn: after four steps they repeat."""

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
    order = jax.random.permutation(shuffle, len(X))

    def step(params, i):
        rows = order[(16 * i + jnp.arange(16)) % len(X)]
        loss, grads = jax.value_and_grad(mean_loss)(params, X[rows], y[rows])
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss

    return jax.lax.scan(step, init(start, X.shape[1]), jnp.arange(steps))


def train_many(keys, X, y, steps):
    return jax.vmap(lambda key: train(key, X, y, steps))(keys)
