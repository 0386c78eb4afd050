# expects: check equations
# says: Your program grows with the number of entries: each round of a Python loop adds its own
#     update. One update can take all entries.
"""Goes through the entries one by one."""

import jax.numpy as jnp


def counts(idx, n_bins):
    tally = jnp.zeros(n_bins, dtype=int)
    for i in idx:
        tally = tally.at[i].add(1)
    return tally
