# expects: check loop
# says: Your values are right, but the loop over the chunks runs in Python, so each chunk adds
#     equations to the program.
"""Loops over the chunks in Python."""

import jax
import jax.numpy as jnp


def map_chunked(f, xs, batch):
    chunks = [jax.vmap(f)(xs[i : i + batch]) for i in range(0, len(xs), batch)]
    return jnp.concatenate(chunks)
