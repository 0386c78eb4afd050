# expects: check values
# says: Your answer is the Bessel function of order 1. The problem asks for order 0, `k0`.
"""Calls the function of order 1."""

import jax
import scipy.special


def bessel(x):
    result = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return jax.pure_callback(scipy.special.k1, result, x, vmap_method="expand_dims")
