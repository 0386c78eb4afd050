# expects: shape-mismatch-broadcast at 7
import jax.numpy as jnp


def f(x):
    bias = jnp.zeros(4)
    return x @ jnp.ones((3, 5)) + bias


f(jnp.ones((2, 3)))
