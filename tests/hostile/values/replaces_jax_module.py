# expects: failed: replaces `sys.modules['jax
# Takes jax out of the modules.
import jax.numpy as jnp
import sys

for name in [name for name in sys.modules if name.startswith('jax')]:
    sys.modules[name] = None


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
