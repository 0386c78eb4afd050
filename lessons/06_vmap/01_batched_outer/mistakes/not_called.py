# expects: not-a-jax-type at 10
"""Returns the mapped function and does not call it."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jax.vmap(jnp.outer)
