# expects: grad-nonscalar at 7
import jax
import jax.numpy as jnp


def loss(w, x):
    return (w * x - 1) ** 2


jax.grad(loss)(jnp.ones(3), jnp.ones(3))
