# expects: check values
# says: Your answer replaces elements that `x` really holds, because they look like a default
#     filling. Decide by the index, not by the value that was read.
"""Reads with the default filling, and replaces whatever looks like it."""

import jax.numpy as jnp


def safe_take(x, idx, fill):
    taken = jnp.take(x, idx, mode="fill")
    if jnp.issubdtype(x.dtype, jnp.floating):
        missing = jnp.isnan(taken)
    else:
        missing = taken == jnp.iinfo(x.dtype).min
    return jnp.where(missing, fill, taken)
