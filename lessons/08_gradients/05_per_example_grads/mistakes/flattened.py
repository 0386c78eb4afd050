# expects: check values
# says: Each of your leaves is a table, with all axes of the parameter flattened into one. A leaf has
#     the shape of the parameter, after the new first axis.
"""Flattens what is behind the new axis."""

import jax
import jax.numpy as jnp


def per_example(loss, params, xs, ys):
    grads = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(params, xs, ys)
    return jax.tree.map(lambda g: g.reshape(len(ys), -1), grads)
