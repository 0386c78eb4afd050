"""Call SciPy from compiled code: a function that JAX does not have."""

import jax
import numpy as np
import scipy.special


def bessel(x):
    """Return the Bessel function K0 of each element of x."""

    def on_host(x):
        return scipy.special.k0(np.asarray(x))

    # What will come back is declared, because the program is built before it does.
    result = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return jax.pure_callback(on_host, result, x, vmap_method="expand_dims")
