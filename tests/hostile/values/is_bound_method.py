# expects: passed: checks pass
# Is a method.
import jax.numpy as jnp


class Clip:
    def clip(self, x):
        return jnp.where(x < 0, 0, x)


safe_clip_positive = Clip().clip
