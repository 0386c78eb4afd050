# expects: check values
# says: Your cosines come before the sines.
"""Swaps the two halves."""

import jax.numpy as jnp


def encode(places, waves):
    phases = 2 * jnp.pi * places @ waves
    return jnp.concatenate([jnp.cos(phases), jnp.sin(phases)], axis=-1)
