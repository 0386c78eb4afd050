# expects: passed: checks pass
# Sets jax_check_tracer_leaks to True.
import jax.numpy as jnp
import jax

jax.config.update('jax_check_tracer_leaks', True)


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
