"""A few sizes for all: pad to powers of two, with a mask."""

import jax
import jax.numpy as jnp


def bucketed(f):
    """Return g(x), which compiles f(x, mask) for lengths that are powers of two."""
    compiled = jax.jit(f)

    def g(x):
        # TODO: this compiles for each length. Pad to a power of two first.
        return compiled(x, jnp.ones(x.shape[0], bool))

    return g
