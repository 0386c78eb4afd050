# expects: passed: checks pass
# Is a partial function.
import functools

import jax.numpy as jnp


safe_clip_positive = functools.partial(jnp.maximum, 0)
