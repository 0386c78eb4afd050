# expects: vmap-body-sees-one-example at 7
import jax
import jax.numpy as jnp


def first(p):
    return p[:, 0] + p[:, 1]


jax.vmap(first)(jnp.ones((4, 2)))
