# expects: library-argument-missing at 9
"""Omits the name."""

import jax
import jax.numpy as jnp


def center(x):
    return x - jax.lax.pmean(x)


def center_batch(xs):
    return jax.vmap(center, axis_name="batch")(xs)
