# expects: passed: checks pass
# Is given by a __getattr__ of the module.
import jax.numpy as jnp


def __getattr__(name):
    return lambda x: jnp.where(x < 0, 0, x)
