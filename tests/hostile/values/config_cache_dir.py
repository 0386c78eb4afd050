# expects: passed: checks pass
# Has compiled programs kept in a folder that cannot be made.
import jax.numpy as jnp
import jax

jax.config.update('jax_compilation_cache_dir', '/proc/nowhere')
jax.config.update('jax_persistent_cache_min_compile_time_secs', 0)


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
