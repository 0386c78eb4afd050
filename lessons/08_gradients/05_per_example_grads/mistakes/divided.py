# expects: check values
# says: Your gradients are divided by the number of examples. That division belongs to a mean, and
#     here each example stands for itself.
"""Divides by the number of examples, as a mean would."""

import jax
import jax.numpy as jnp


def per_example(loss, params, xs, ys):
    losses = lambda p: jax.vmap(loss, in_axes=(None, 0, 0))(p, xs, ys)
    return jax.jacrev(lambda p: losses(p) / len(ys))(params)
