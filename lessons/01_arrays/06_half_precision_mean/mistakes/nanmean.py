# expects: check values
# says: Your answer leaves out NaN. A NaN among the elements must show in the mean.
"""Leaves out what is NaN."""

import jax.numpy as jnp


def mean_f16(x):
    return jnp.nanmean(x.astype(jnp.float32)).astype(x.dtype)
