# expects: missing-return
import jax
import jax.numpy as jnp


def g(x):
    y = x * 2


def f(x):
    return jnp.sum(jax.vmap(g)(x))


f(jnp.ones(3))
