"""Computes in a wider dtype and converts back."""

import jax.numpy as jnp


def halve(x):
    return (x.astype(jnp.float32) / 2).astype(x.dtype)
