# expects: check values
# says: Your answer puts a number that lies on an edge into the bin below. The edge belongs to the
#     bin above it.
"""Finds the bin by a search that puts an edge into the bin below."""

import jax
import jax.numpy as jnp


def histogram_ref(xs, weights, bins):
    total = jax.new_ref(jnp.zeros(bins, weights.dtype))
    edges = jnp.arange(1, bins) / bins
    places = jnp.searchsorted(edges, xs)

    def add(i, _):
        total[places[i]] += weights[i]

    jax.lax.fori_loop(0, len(xs), add, None)
    return total[...]
