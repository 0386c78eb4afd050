# expects: python-math-on-tracer at 9
"""Uses `math`, number by number."""

import jax.numpy as jnp
import math


def fourier_features(x, freqs):
    rows = [[math.sin(2 * math.pi * t * f) for f in freqs] for t in x]
    more = [[math.cos(2 * math.pi * t * f) for f in freqs] for t in x]
    return jnp.concatenate([jnp.array(rows), jnp.array(more)], axis=-1)
