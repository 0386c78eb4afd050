# expects: passed: checks pass
# Turns the garbage collector off, freezes it, and sets its callback to raise.
import jax.numpy as jnp
import gc

gc.disable()
gc.freeze()
gc.callbacks.append(lambda *_: 1 / 0)


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
