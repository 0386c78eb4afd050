# expects: check equations
"""Walks along the rows in Python."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jnp.stack([jnp.outer(x, y) for x, y in zip(a, b, strict=True)])
