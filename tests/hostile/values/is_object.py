# expects: passed: checks pass
# Is an object that can be called.
import jax.numpy as jnp


class Clip:
    def __call__(self, x):
        return jnp.where(x < 0, 0, x)


safe_clip_positive = Clip()
