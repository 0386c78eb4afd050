# expects: leaked-by-cache at 9
import jax
import jax.numpy as jnp


from functools import lru_cache


@lru_cache
def basis(n):
    return jnp.eye(n)


@jax.jit
def f(x):
    return basis(2) @ x


f(jnp.ones(2))
f(jnp.ones((2, 3)))
