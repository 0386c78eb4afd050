# expects: check rounding
# says: Large numbers come out wrong: they do not fit into int32, and your value takes a detour
#     through it.
"""Rounds by way of an integer dtype, which is too small for large floats."""

import jax
import jax.numpy as jnp


def round_ste(x):
    return x + jax.lax.stop_gradient(jnp.rint(x).astype(jnp.int32).astype(x.dtype) - x)
