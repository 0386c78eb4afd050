# expects: check values
# says: Your answer is a huge number where it should be infinite: replacing what is not a number
#     has replaced infinity as well.
"""Marks what does not count as missing, and replaces whatever is not finite."""

import jax.numpy as jnp


def mean_of_positive(x):
    return jnp.nan_to_num(jnp.nanmean(jnp.where(x > 0, x, jnp.nan)))
