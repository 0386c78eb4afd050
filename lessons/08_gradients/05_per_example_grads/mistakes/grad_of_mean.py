# expects: check values
"""Averages first, and differentiates once."""

import jax


def per_example(loss, params, xs, ys):
    def mean_loss(params):
        return jax.vmap(loss, in_axes=(None, 0, 0))(params, xs, ys).mean()

    return jax.grad(mean_loss)(params)
