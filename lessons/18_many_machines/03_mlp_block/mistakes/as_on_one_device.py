# expects: check jaxpr
# says: Your second product sums over an axis that is cut, and JAX asks where the result should be.
"""Writes the formula as for one device."""

import jax


def mlp_block(x, w1, b1, w2, b2):
    return jax.nn.gelu(x @ w1 + b1) @ w2 + b2
