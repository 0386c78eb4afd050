# expects: inplace-assignment at 6
import jax.numpy as jnp


def bump(counts, i):
    counts[i] += 1
    return counts


bump(jnp.zeros(3), 1)
