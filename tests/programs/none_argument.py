# expects: none-argument at 8
import jax
import jax.numpy as jnp


@jax.jit
def f(x, mask):
    return x * mask


f(jnp.ones(3), None)
