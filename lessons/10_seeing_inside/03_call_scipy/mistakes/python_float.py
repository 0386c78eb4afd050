# expects: check jit
# says: The function on the host returns a single number, or fails for an array. It should return
#     an array with the shape of its argument.
"""Turns an array into a Python number."""

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special


def bessel(x):
    comes = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return jax.pure_callback(lambda x: float(scipy.special.k0(x)), comes, x, vmap_method="expand_dims")
