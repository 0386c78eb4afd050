# expects: check one-example
"""Leaves the mean to the function of the batch."""

import jax


def center(x):
    return x


def center_batch(xs):
    return jax.vmap(center)(xs) - xs.mean(axis=0)
