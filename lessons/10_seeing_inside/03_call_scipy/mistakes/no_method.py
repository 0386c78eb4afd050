# expects: check vmap
"""Does not say how to ask for a batch."""

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special


def bessel(x):
    comes = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return jax.pure_callback(lambda x: scipy.special.k0(np.asarray(x)), comes, x)
