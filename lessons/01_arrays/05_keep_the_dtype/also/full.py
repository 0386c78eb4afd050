"""An array made from a Python number alone: it is weak, and takes on the dtype of x."""

import jax.numpy as jnp


def halve(x):
    return x * jnp.full(x.shape, 0.5)
