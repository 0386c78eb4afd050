# expects: check jaxpr
# says: Your answer is a function. The mapped function still has to be called with `a` and `b`.
"""Returns the mapped function and does not call it."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jax.vmap(jnp.outer)
