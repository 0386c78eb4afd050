# expects: callback-result-not-described at 12
"""Declares a shape, and no dtype."""

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special


def bessel(x):
    comes = x.shape
    return jax.pure_callback(lambda x: scipy.special.k0(np.asarray(x)), comes, x, vmap_method="expand_dims")
