# expects: concat-not-sequence at 6
import jax.numpy as jnp


def f(a, b):
    return jnp.stack(a, b)


f(jnp.ones(3), jnp.ones(3))
