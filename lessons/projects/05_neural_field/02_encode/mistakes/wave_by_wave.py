# expects: check equations
# says: Your values are right, but each wave adds equations to the program. One product of
#     matrices has the phases of all waves.
"""Loops over the waves."""

import jax.numpy as jnp


def encode(places, waves):
    sines, cosines = [], []
    for wave in waves.T:
        phase = 2 * jnp.pi * (places[:, 0] * wave[0] + places[:, 1] * wave[1])
        sines.append(jnp.sin(phase))
        cosines.append(jnp.cos(phase))
    return jnp.stack(sines + cosines, axis=-1)
