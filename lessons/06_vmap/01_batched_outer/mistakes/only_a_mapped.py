# expects: check values
"""Walks along a only, and gives each row all of b."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jax.vmap(jnp.outer, in_axes=(0, None))(a, b)
