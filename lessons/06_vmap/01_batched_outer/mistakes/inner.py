# expects: check values
"""Takes the inner product instead."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jax.vmap(jnp.inner)(a[:, :1], b[:, :1])
