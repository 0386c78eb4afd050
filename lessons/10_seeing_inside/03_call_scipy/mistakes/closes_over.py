# expects: check jit
# says: The function on the host uses `x` from the function around it, and that is a tracer. What
#     the host needs has to be passed to the callback as an argument.
"""Closes over x, which is a tracer, instead of passing it."""

import jax
import scipy.special


def bessel(x):
    result = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return jax.pure_callback(lambda: scipy.special.k0(x), result, vmap_method="expand_dims")
