# expects: brackets-instead-of-call at 12
import jax
import jax.numpy as jnp


def scale(x):
    return x / jnp.max(x)


@jax.jit
def prepare(x):
    return scale[x] + 1.0


prepare(jnp.arange(1.0, 4.0))
