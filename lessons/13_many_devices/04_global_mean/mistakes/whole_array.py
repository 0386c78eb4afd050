# expects: check primitive
# says: Your answer is right, but the compiler decides what each device does. This lesson asks you
#     to write that, in `jax.shard_map`.
"""Leaves it to the compiler."""

import jax.numpy as jnp


def global_mean(x):
    return jnp.mean(x)
