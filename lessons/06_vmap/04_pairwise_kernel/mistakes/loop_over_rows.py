# expects: check equations
# says: Your values are right, but each row adds equations to the program. Map over both
#     arguments.
"""Maps one argument and loops over the other."""

import jax
import jax.numpy as jnp


def gram(k, X, Y):
    return jnp.stack([jax.vmap(k, in_axes=(None, 0))(x, Y) for x in X])
