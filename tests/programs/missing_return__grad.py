# expects: missing-return
import jax
import jax.numpy as jnp


def loss(w):
    l = (w**2).sum()


jax.grad(loss)(jnp.ones(3))
