# expects: none-argument at 7
import jax
import jax.numpy as jnp


def loss(w, bias=None):
    return jnp.sum(w) + jnp.sum(bias)


jax.jit(loss)(jnp.ones(3))
