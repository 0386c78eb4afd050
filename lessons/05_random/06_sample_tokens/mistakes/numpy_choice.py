# expects: numpy-call-on-tracer at 11
"""Draws with numpy, which needs the probabilities as values."""

import jax
import jax.numpy as jnp
import numpy as np


def sample(key, logits, temperature):
    p = jax.nn.softmax(logits / jnp.where(temperature > 0, temperature, 1))
    return np.random.choice(logits.shape[0], p=p)
