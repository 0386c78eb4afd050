# expects: check second
"""A way back of its own; the way forwards rounds anew, and is flat for a second derivative."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def round_ste(x):
    return jnp.round(x)


round_ste.defvjp(lambda x: (jnp.round(x), None), lambda _, g: (g,))
