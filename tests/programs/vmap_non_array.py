# expects: vmap-non-array at 10
import jax
import jax.numpy as jnp


def f(x, s):
    return x * s


jax.vmap(f)(jnp.ones(3), 2.0)
