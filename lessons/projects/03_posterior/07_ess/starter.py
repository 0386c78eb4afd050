"""How much are the draws worth?"""

import jax.numpy as jnp


def ess(draws):
    """Return how many independent draws are worth as much; draws (chains, n)."""
    # TODO: neighbouring draws are alike, so they are worth less than this.
    return jnp.float32(draws.size)
