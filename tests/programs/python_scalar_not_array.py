# expects: python-scalar-not-array at 6
import jax.numpy as jnp


def f(x, scale):
    return x * scale.astype(x.dtype)


f(jnp.ones(3), 2.0)
