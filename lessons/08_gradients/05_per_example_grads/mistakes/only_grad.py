# expects: grad-nonscalar at 8
"""Gives the whole batch to a loss for one."""

import jax


def per_example(loss, params, xs, ys):
    return jax.grad(loss)(params, xs, ys)
