# expects: check learns
# says: Your losses fall, but the parameters that you return are no better than those at the
#     start. The loop hands the last ones back as its carry.
"""Returns the parameters that it started with."""

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
    params = init(start, X.shape[1])

    def step(params, key):
        rows = jax.random.permutation(key, len(X))[:16]
        loss, grads = jax.value_and_grad(mean_loss)(params, X[rows], y[rows])
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss

    _, losses = jax.lax.scan(step, params, jax.random.split(shuffle, steps))
    return params, losses


def train_many(keys, X, y, steps):
    return jax.vmap(lambda key: train(key, X, y, steps))(keys)
