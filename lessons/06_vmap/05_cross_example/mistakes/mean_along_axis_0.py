# expects: vmap-body-sees-one-example at 9
"""Counts the axes of the batch."""

import jax
import jax.numpy as jnp


def center(x):
    return x - jnp.mean(x, axis=0)


def center_batch(xs):
    return jax.vmap(center, axis_name="batch")(xs)
