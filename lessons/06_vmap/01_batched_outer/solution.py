"""Write it for one: outer products of a batch."""

import jax
import jax.numpy as jnp


def batched_outer(a, b):
    """Return the outer product of each row of a with the same row of b."""
    return jax.vmap(jnp.outer)(a, b)  # jnp.outer sees one row of each
