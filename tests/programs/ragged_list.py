# expects: ragged-list at 6
import jax.numpy as jnp


def f(x):
    return jnp.array([[1.0, 2.0], [3.0]]) * x


f(2.0)
