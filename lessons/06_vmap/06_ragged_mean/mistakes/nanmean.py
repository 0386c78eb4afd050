# expects: check values
"""Takes whatever is not NaN."""

import jax
import jax.numpy as jnp


def masked_mean(X, lengths):
    return jnp.nan_to_num(jnp.nanmean(X, axis=1))
