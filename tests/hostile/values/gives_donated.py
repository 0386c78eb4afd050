# expects: passed: checks pass
# Gives its argument away.
import jax.numpy as jnp
import jax
from functools import partial


@partial(jax.jit, donate_argnums=0)
def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
