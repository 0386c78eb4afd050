# expects: check values
# says: Your answer treats a NaN in the patch as missing. Only `None` means that the old value
#     stays.
"""Treats NaN as a missing value."""

import jax
import jax.numpy as jnp


def override(base, patch):
    def choose(p, b):
        return b if p is None else jnp.where(jnp.isnan(p), b, p)

    return jax.tree.map(choose, patch, base, is_leaf=lambda x: x is None)
