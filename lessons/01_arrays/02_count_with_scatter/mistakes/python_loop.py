# expects: check equations
"""Goes through the entries one by one."""

import jax.numpy as jnp


def counts(idx, n_bins):
    tally = jnp.zeros(n_bins, dtype=int)
    for i in idx:
        tally = tally.at[i].add(1)
    return tally
