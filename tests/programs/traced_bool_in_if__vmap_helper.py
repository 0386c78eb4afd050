# expects: traced-bool-in-if at 11
import jax
import jax.numpy as jnp


def is_big(v):
    return v > 2


def f(v):
    if is_big(v):
        return v
    return -v


jax.vmap(f)(jnp.arange(4.0))
