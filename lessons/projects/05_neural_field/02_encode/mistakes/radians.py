# expects: check values
# says: Your waves are slower than the problem's: a factor of 2π is missing. `waves` counts whole
#     turns and not radians.
"""Leaves out 2π."""

import jax.numpy as jnp


def encode(places, waves):
    phases = places @ waves
    return jnp.concatenate([jnp.sin(phases), jnp.cos(phases)], axis=-1)
