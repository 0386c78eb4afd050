# expects: check values
# says: Your answer turns negative elements into positive ones. They become 0.
"""Takes the absolute value."""

import jax.numpy as jnp


def safe_clip_positive(x):
    return jnp.abs(x)
