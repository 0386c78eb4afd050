"""One comparison for all rows."""

import jax
import jax.numpy as jnp


def masked_mean(X, lengths):
    inside = jnp.arange(X.shape[1]) < lengths[:, None]
    return jnp.sum(X, axis=1, where=inside) / jnp.maximum(lengths, 1)
