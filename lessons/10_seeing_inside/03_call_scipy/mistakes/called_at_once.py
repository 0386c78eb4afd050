# expects: scipy-call-on-tracer at 9
"""Calls SciPy while tracing, instead of passing the function."""

import jax
import scipy.special


def bessel(x):
    return jax.pure_callback(scipy.special.k0(x), jax.ShapeDtypeStruct(x.shape, x.dtype), x)
