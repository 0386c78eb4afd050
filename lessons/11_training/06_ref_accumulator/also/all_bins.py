"""Each round adds to all bins at once, most of them 0."""

import jax
import jax.numpy as jnp


def histogram_ref(xs, weights, bins):
    counts = jax.new_ref(jnp.zeros(bins, weights.dtype))
    upper = jnp.arange(1, bins) / bins

    def body(i, carry):
        place = jnp.sum(xs[i] >= upper)
        hit = jax.nn.one_hot(place, bins, dtype=weights.dtype)
        counts[...] = counts[...] + hit * weights[i]
        return carry

    jax.lax.fori_loop(0, xs.shape[0], body, 0)
    return jax.ref.get(counts)
