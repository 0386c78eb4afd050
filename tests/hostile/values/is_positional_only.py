# expects: passed: checks pass
# Takes its argument by place only.
import jax.numpy as jnp


def safe_clip_positive(x, /):
    return jnp.where(x < 0, 0, x)
