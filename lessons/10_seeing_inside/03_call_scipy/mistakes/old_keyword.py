# expects: check jit
# says: The keyword for batches has another name in this version, and takes one of several
#     methods.
"""Uses a keyword of older versions."""

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special


def bessel(x):
    comes = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return jax.pure_callback(lambda x: scipy.special.k0(np.asarray(x)), comes, x, vectorized=True)
