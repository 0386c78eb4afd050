# expects: tolist-on-tracer at 10
"""Counts with Python's Counter."""

from collections import Counter

import jax.numpy as jnp


def counts(idx, n_bins):
    tally = Counter(idx.tolist())
    return jnp.array([tally[i] for i in range(n_bins)])
