# expects: check values
# says: Your answer has only two or three right digits, and another dtype than `x`.
"""Declares half the precision."""

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special


def bessel(x):
    comes = jax.ShapeDtypeStruct(x.shape, jnp.bfloat16)
    return jax.pure_callback(lambda x: scipy.special.k0(np.asarray(x)).astype(jnp.bfloat16), comes, x, vmap_method="expand_dims")
