# expects: check jit
"""Makes a Python number of an array."""

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special


def bessel(x):
    comes = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return jax.pure_callback(lambda x: float(scipy.special.k0(x)), comes, x, vmap_method="expand_dims")
