# expects: none-argument at 8
import jax
import jax.numpy as jnp


@jax.jit
def f(x, w):
    return x + w.sum()


f(jnp.ones(2), None)
