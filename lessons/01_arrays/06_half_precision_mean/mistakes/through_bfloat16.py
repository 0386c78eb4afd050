# expects: check digits
# says: Your answer does not overflow, but it loses digits: it has been through `bfloat16`, which
#     has fewer of them than `float16`.
"""Avoids the overflow in a format that reaches far and has few digits."""

import jax.numpy as jnp


def mean_f16(x):
    return x.astype(jnp.bfloat16).mean().astype(jnp.float16)
