# expects: check values
# says: Your answer has the repeats as rows of a table. They belong end to end, in one axis.
"""Stacks the repeats as rows and leaves them so."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    return jnp.tile(x, (int(n), 1))
