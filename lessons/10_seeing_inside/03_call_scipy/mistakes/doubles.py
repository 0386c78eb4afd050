# expects: callback-result-not-described at 12
"""Declares the dtype that SciPy returns, and that JAX does not have."""

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special


def bessel(x):
    comes = jax.ShapeDtypeStruct(x.shape, np.float64)
    return jax.pure_callback(lambda x: scipy.special.k0(np.asarray(x)), comes, x, vmap_method="expand_dims")
