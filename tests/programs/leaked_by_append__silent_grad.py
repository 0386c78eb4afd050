# expects: leaked-by-append at 11
import jax
import jax.numpy as jnp


acts = []


def loss(w):
    h = w * 2
    acts.append(h)
    return h.sum()


jax.grad(loss)(jnp.ones(2))
