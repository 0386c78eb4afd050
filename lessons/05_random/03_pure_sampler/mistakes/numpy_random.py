# expects: impure-host-random at 10
"""Draws with numpy while it is traced."""

import jax
import numpy as np


def draw(state):
    new_state, _ = jax.random.split(state)
    x = np.random.uniform()
    return new_state, x
