# expects: check values
# says: Your waves are computed in bfloat16. With eight bits, a phase of many turns is off by a
#     large part of a turn, and the fast waves become noise.
"""Computes the phases in bfloat16."""

import jax.numpy as jnp


def encode(places, waves):
    phases = 2 * jnp.pi * (places.astype(jnp.bfloat16) @ waves.astype(jnp.bfloat16))
    phases = phases.astype(jnp.float32)
    return jnp.concatenate([jnp.sin(phases), jnp.cos(phases)], axis=-1)
