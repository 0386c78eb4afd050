# expects: check values
# says: Your answer turns every NaN and infinity into 0, also those that count. Only the length
#     says which elements count.
"""Cleans the whole array before the product with the mask."""

import jax.numpy as jnp


def masked_mean(X, lengths):
    clean = jnp.nan_to_num(X, posinf=0.0, neginf=0.0)
    inside = jnp.arange(X.shape[1]) < lengths[:, None]
    return (clean * inside).sum(axis=1) / jnp.maximum(lengths, 1)
