# expects: operator-precedence at 6
import jax.numpy as jnp


def inside(x):
    return x > 0 & x < 5


inside(jnp.arange(8))
