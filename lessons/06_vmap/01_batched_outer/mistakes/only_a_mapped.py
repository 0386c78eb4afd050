# expects: check values
# says: Your answer pairs each row of `a` with all of `b`. Row 0 belongs to row 0, row 1 to row 1.
"""Maps over a only, and gives each row all of b."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jax.vmap(jnp.outer, in_axes=(0, None))(a, b)
