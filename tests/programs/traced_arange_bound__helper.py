# expects: traced-arange-bound at 7
import jax
import jax.numpy as jnp


def positions(n):
    return jnp.arange(n) / n


jax.jit(positions)(5)
