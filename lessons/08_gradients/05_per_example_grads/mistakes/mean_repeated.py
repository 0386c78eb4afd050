# expects: check values
# says: Your answer is the gradient of the mean loss, repeated. Each example has a gradient of its
#     own.
"""Repeats the gradient of the mean."""

import jax
import jax.numpy as jnp


def per_example(loss, params, xs, ys):
    def mean_loss(p):
        return jnp.mean(jax.vmap(loss, in_axes=(None, 0, 0))(p, xs, ys))

    g = jax.grad(mean_loss)(params)
    return jax.tree.map(lambda leaf: jnp.stack([leaf] * xs.shape[0]), g)
