# expects: while-cond-not-scalar-bool at 7
import jax
import jax.numpy as jnp


def cond(x):
    return x > 1


jax.lax.while_loop(cond, lambda x: x / 2, jnp.array([4.0, 8.0]))
