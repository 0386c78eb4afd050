# expects: check values
# says: The gradients are right, but the examples lie along the last axis of each leaf. They
#     belong along the first.
"""Puts the examples along the last axis."""

import jax


def per_example(loss, params, xs, ys):
    return jax.vmap(jax.grad(loss), in_axes=(None, 0, 0), out_axes=-1)(params, xs, ys)
