# expects: passed: checks pass
# Calls its argument something else.
import jax.numpy as jnp


def safe_clip_positive(values, kept=[]):
    kept.append(1)
    return jnp.where(values < 0, 0, values)
