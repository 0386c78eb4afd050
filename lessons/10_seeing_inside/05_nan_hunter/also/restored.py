"""The switch is set by hand, and restored in a finally."""

import jax
import numpy as np


def first_bad_layer(layers, x):
    if np.isnan(x).any():
        return -1
    before = jax.config.jax_debug_nans
    jax.config.update("jax_debug_nans", True)
    good = 0
    try:
        for layer in layers:
            x = layer(x)
            good += 1
    except FloatingPointError:
        return good
    finally:
        jax.config.update("jax_debug_nans", before)
    return -1
