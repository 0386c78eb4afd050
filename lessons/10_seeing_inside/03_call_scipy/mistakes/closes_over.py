# expects: callback-closes-over-tracer at 10
"""Closes over x, which is a tracer, instead of passing it."""

import jax
import scipy.special


def bessel(x):
    result = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return jax.pure_callback(lambda: scipy.special.k0(x), result, vmap_method="expand_dims")
