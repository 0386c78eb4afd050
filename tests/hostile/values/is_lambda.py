# expects: passed: checks pass
# Is a lambda.
import jax.numpy as jnp


safe_clip_positive = lambda x: jnp.where(x < 0, 0, x)
