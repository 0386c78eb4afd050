# expects: failed: replaces `jax.make_jaxpr
# Puts None in the place of jax.make_jaxpr.
import jax.numpy as jnp
import jax

jax.make_jaxpr = None


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
