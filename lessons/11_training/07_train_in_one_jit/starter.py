"""A whole training run in one program, and then many of them."""

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
    """Return the parameters after so many steps, and the loss of each step."""
    params, losses = init(key, X.shape[1]), []
    # TODO: one loop, one program, and new rows for each step.
    for _ in range(steps):
        loss, grads = jax.value_and_grad(mean_loss)(params, X, y)
        params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
        losses.append(loss)
    return params, jnp.stack(losses)


def train_many(keys, X, y, steps):
    """Return the same for many keys, side by side."""
    return train(keys[0], X, y, steps)
