# expects: check jaxpr
# says: Python's own conversions need a value, and a tracer has none. Round with `jnp`.
"""Lets Python round an array."""

import jax


def round_ste(x):
    return x + jax.lax.stop_gradient(int(x) - x)
