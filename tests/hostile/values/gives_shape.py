# expects: raised: TypeError
# Gives a ShapeDtypeStruct.
import jax


def safe_clip_positive(x):
    return jax.ShapeDtypeStruct((3,), 'float32')
