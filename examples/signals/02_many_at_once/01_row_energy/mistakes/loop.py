# expects: check equations
"""Goes from row to row in Python."""

import jax.numpy as jnp


def row_energy(table):
    return jnp.stack([jnp.mean(row**2) for row in table])
