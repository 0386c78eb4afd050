# expects: concat-not-sequence at 7
import jax
import jax.numpy as jnp


def f(a, b):
    return jnp.concatenate(a, b)


jax.jit(f)(jnp.ones(3), jnp.ones(3))
