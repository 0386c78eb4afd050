# expects: vmap-non-array at 8
"""Declares the last argument as shared."""

import jax


def per_example(loss, params, xs, ys):
    return jax.vmap(jax.grad(loss), in_axes=(0, 0, None))(params, xs, ys)
