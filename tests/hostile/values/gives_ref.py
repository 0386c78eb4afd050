# expects: raised: ValueError
# Gives a mutable array.
import jax


def safe_clip_positive(x):
    return jax.new_ref(x)
