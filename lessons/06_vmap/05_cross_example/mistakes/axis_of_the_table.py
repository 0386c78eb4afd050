# expects: check maps-center
"""Computes the batch without the function of one example."""

import jax


def center(x):
    return x - jax.lax.pmean(x, "batch")


def center_batch(xs):
    return xs - xs.mean(axis=0)
