# expects: check equations
# says: Your values are right, but each row adds equations to the program. Map over the rows
#     instead.
"""Loops over the rows in Python."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jnp.stack([jnp.outer(x, y) for x, y in zip(a, b, strict=True)])
