# expects: check jaxpr
# says: This callback drops what your function returns. There is one for functions whose value is
#     used.
"""Uses the callback that returns nothing."""

import jax
import scipy.special


def bessel(x):
    return jax.debug.callback(scipy.special.k0, x) * 1.0
