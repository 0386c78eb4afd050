"""The function itself, called with all arguments batched; the description is that of x."""

import jax
import scipy.special


def bessel(x):
    return jax.pure_callback(
        scipy.special.k0, jax.eval_shape(lambda: x), x, vmap_method="broadcast_all"
    )
