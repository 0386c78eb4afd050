# expects: float64-truncated at 6
import jax.numpy as jnp


def f(t):
    return t.astype("float64") * 2


f(jnp.ones(2))
