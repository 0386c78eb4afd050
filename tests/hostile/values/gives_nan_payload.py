# expects: failed: elements differ
# Gives numbers that are none, of many kinds.
import jax.numpy as jnp
import jax


def safe_clip_positive(x):
    return jax.lax.bitcast_convert_type(jnp.array([0x7FC00001, 0xFFC12345, 0x7F800001], jnp.uint32), jnp.float32)
