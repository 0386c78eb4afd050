# expects: check vmap
# says: Single calls are right, but under `jax.vmap` the callback does not know what to do with a
#     batch.
"""Does not say how to call the host for a batch."""

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special


def bessel(x):
    comes = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return jax.pure_callback(lambda x: scipy.special.k0(np.asarray(x)), comes, x)
