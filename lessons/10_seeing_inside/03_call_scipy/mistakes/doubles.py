# expects: check jaxpr
# says: The declared dtype is float64, which JAX does not use by default. The answer has the dtype
#     of `x`.
"""Declares the dtype that SciPy returns, and that JAX does not have."""

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special


def bessel(x):
    comes = jax.ShapeDtypeStruct(x.shape, np.float64)
    return jax.pure_callback(lambda x: scipy.special.k0(np.asarray(x)), comes, x, vmap_method="expand_dims")
