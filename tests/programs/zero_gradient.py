# expects: zero-gradient at 7
import jax
import jax.numpy as jnp


def accuracy(w, x, y):
    pred = jnp.round(x * w)
    return jnp.mean((pred - y) ** 2)


jax.grad(accuracy)(0.7, jnp.arange(3.0), jnp.ones(3))
