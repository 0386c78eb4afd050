# expects: ambiguous-contraction at 8
"""Writes the formula as for one device."""

import jax


def mlp_block(x, w1, b1, w2, b2):
    return jax.nn.gelu(x @ w1 + b1) @ w2 + b2
