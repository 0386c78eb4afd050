# expects: check asked-once
# says: The values are right, but under `jax.vmap` SciPy is called once for each row. It can take
#     the whole batch at once.
"""Calls the host for one row after the other."""

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special


def bessel(x):
    comes = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return jax.pure_callback(lambda x: scipy.special.k0(np.asarray(x)), comes, x, vmap_method="sequential")
