# expects: passed: checks pass
# An object of it that dies at the end does not die.
# in diagnose: timed_out|clean: 
import jax.numpy as jnp


class Undead:
    def __del__(self):
        while True:
            pass


kept = Undead()


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
