# expects: failed: replaces `jax.numpy.asarray
# Has jnp.asarray give zeros.
import jax.numpy as jnp
jnp.asarray = lambda *_, **__: jnp.zeros(3)


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
