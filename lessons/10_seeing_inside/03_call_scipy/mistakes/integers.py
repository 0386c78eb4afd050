# expects: callback-result-mismatch at 12
"""Declares integers."""

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special


def bessel(x):
    comes = jax.ShapeDtypeStruct(x.shape, jnp.int32)
    return jax.pure_callback(lambda x: scipy.special.k0(np.asarray(x)), comes, x, vmap_method="expand_dims")
