# expects: check values
# says: Your answer skips NaN instead of the padding. Padding may be any number, and a NaN may
#     count. Only the length says which elements count.
"""Takes whatever is not NaN."""

import jax
import jax.numpy as jnp


def masked_mean(X, lengths):
    return jnp.nan_to_num(jnp.nanmean(X, axis=1))
