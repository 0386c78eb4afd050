# expects: concat-not-sequence at 10
import jax
import jax.numpy as jnp


from jax.numpy import hstack


def f(a, b):
    return hstack(a, b)


f(jnp.ones(3), jnp.ones(3))
