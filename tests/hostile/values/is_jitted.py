# expects: passed: checks pass
# Is compiled already, twice.
import jax
import jax.numpy as jnp


safe_clip_positive = jax.jit(jax.jit(lambda x: jnp.where(x < 0, 0, x)))
