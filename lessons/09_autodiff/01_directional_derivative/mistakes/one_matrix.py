# expects: check memory
# says: Your answers are right, but they come from the whole Jacobian. One direction needs one pass,
#     and no matrix.
"""Builds the whole matrix column by column, trees included."""

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree


def directional(f, x, v):
    flat, back = ravel_pytree(x)
    columns = jax.vmap(lambda e: jax.jvp(f, (x,), (back(e),))[1])(jnp.eye(flat.size))
    return jax.tree.map(lambda leaf: jnp.tensordot(ravel_pytree(v)[0], leaf, 1), columns)
