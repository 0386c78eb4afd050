# expects: check values
"""Gives a list of gradients."""

import jax


def per_example(loss, params, xs, ys):
    return [jax.grad(loss)(params, x, y) for x, y in zip(xs, ys)]
