# expects: numpy-call-on-tracer at 10
"""Calls NumPy."""

import jax.numpy as jnp
import numpy as np


def encode(places, waves):
    phases = 2 * np.pi * (places @ waves)
    return jnp.concatenate([np.sin(phases), np.cos(phases)], axis=-1)
