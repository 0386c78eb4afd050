# expects: passed: checks pass
# Takes msgspec out of the modules.
import jax.numpy as jnp
import sys

sys.modules['msgspec'] = sys.modules['msgspec.msgpack'] = None


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
