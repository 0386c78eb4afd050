# expects: raised: ZeroDivisionError
# Has a hook of its own for what is raised, and raises.
import jax.numpy as jnp
import sys

sys.excepthook = sys.unraisablehook = lambda *_: 1 / 0
1 / 0


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
