# expects: numpy-call-on-tracer at 12
"""Keeps NumPy copies."""

import jax.numpy as jnp
import numpy as np


def forward(params, x):
    activations = []
    for w in params:
        x = jnp.maximum(x @ w, 0)
        activations.append(np.array(x))
    return x, activations
