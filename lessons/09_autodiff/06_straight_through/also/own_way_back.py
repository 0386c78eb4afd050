"""A backward pass of its own."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def round_ste(x):
    return jnp.round(x)


round_ste.defvjp(lambda x: (round_ste(x), None), lambda _, g: (g,))
