# expects: grad-nonscalar at 8
"""Passes the whole batch to a loss written for one example."""

import jax


def per_example(loss, params, xs, ys):
    return jax.grad(loss)(params, xs, ys)
