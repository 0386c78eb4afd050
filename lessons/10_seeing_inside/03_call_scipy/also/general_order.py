"""The general function with order 0, in double precision; x describes the result."""

import jax
import numpy as np
from scipy import special


def on_host(x):
    return special.kv(0, np.asarray(x, np.float64))


@jax.jit
def bessel(x):
    return jax.pure_callback(on_host, x, x, vmap_method="broadcast_all")
