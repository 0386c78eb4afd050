# expects: check unchanged
"""Saves memory by giving x away."""

from functools import partial

import jax


@partial(jax.jit, donate_argnums=0)
def replace_at(x, i, v):
    return x.at[i].set(v)
