# expects: name-typo at 11
import jax
import jax.numpy as jnp


def normalise(x):
    return x / x.sum()


def f(x):
    return normalize(x)


jax.jit(f)(jnp.ones(2))
