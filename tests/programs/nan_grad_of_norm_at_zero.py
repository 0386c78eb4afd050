# expects: nan-grad-of-norm-at-zero at 7
import jax
import jax.numpy as jnp


def dist(a, b):
    return jnp.linalg.norm(a - b)


jax.grad(dist)(jnp.ones(3), jnp.ones(3))
