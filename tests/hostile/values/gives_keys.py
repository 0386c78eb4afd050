# expects: failed: key
# Gives random keys.
import jax


def safe_clip_positive(x):
    return jax.random.split(jax.random.key(0), 3)
