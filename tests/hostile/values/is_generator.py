# expects: raised: TypeError
# Is a generator function.
import jax.numpy as jnp


def safe_clip_positive(x):
    yield jnp.where(x < 0, 0, x)
