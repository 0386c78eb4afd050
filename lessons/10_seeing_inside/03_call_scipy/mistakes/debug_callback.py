# expects: TypeError at 9
"""Uses the callback that returns nothing."""

import jax
import scipy.special


def bessel(x):
    return jax.debug.callback(scipy.special.k0, x) * 1.0
