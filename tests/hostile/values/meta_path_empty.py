# expects: raised: ModuleNotFoundError
# Leaves no finder for what is imported.
import jax.numpy as jnp
import sys

sys.meta_path.clear()
sys.path.clear()
sys.path_hooks.clear()


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
