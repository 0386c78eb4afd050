# expects: attribute-typo at 6
import jax.numpy as jnp


def f(x):
    return jnp.sqaure(x)


f(2.0)
