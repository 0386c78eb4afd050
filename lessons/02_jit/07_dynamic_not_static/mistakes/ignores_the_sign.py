# expects: check values
# says: Your answer ignores the sign of `s`. A negative `s` puts each element on the other side of
#     the mean.
"""Takes the size of s."""

import jax
import jax.numpy as jnp


def make_scaled():
    @jax.jit
    def g(x, s):
        m = x.mean()
        return m + jnp.abs(s) * (x - m)

    return g
