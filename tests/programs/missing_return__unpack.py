# expects: missing-return
import jax
import jax.numpy as jnp


def split(x):
    a, b = x[:1], x[1:]
    (a, b)


def f(x):
    a, b = split(x)
    return a


jax.jit(f)(jnp.ones(3))
