"""Do the chains agree?"""

import jax.numpy as jnp


def r_hat(draws):
    """Return how much wider all chains together are than each half of one; draws (chains, n)."""
    # TODO: this compares whole chains, so it misses a drift that they have in common.
    within = draws.var(axis=1, ddof=1).mean()
    return jnp.sqrt(draws.var() / within)
