# expects: iterator-as-array at 6
import jax.numpy as jnp


def noisy(rows, shift):
    rounded = map(jnp.round, rows)
    return rounded + shift


noisy(jnp.ones((5, 2)), 1.0)
