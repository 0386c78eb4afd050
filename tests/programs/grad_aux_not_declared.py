# expects: grad-aux-not-declared at 11
import jax
import jax.numpy as jnp


def loss(w):
    p = w * 2
    return p.sum(), p


jax.grad(loss)(jnp.ones(3))
