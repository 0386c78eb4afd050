# expects: check second
# says: The first derivative is right, the second is 0: inside it, the forward pass of your rule
#     is differentiated, and that is a plain rounding.
"""A backward pass of its own, whose forward function is flat for a second derivative."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def round_ste(x):
    return jnp.round(x)


round_ste.defvjp(lambda x: (jnp.round(x), None), lambda _, g: (g,))
