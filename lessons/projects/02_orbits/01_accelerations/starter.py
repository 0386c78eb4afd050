"""Orbits: bodies that attract each other, and a probe that reaches its target."""

import jax.numpy as jnp


def accelerations(x, m, softening):
    """Return the acceleration of each body, shape (n, d), caused by all the others."""
    rows = []
    # TODO: the loops add equations for each pair of bodies.
    for i in range(x.shape[0]):
        total = jnp.zeros(x.shape[1])
        for j in range(x.shape[0]):
            if i != j:
                apart = x[j] - x[i]
                square = jnp.sum(apart**2) + softening**2
                total = total + m[j] * apart * square**-1.5
        rows.append(total)
    return jnp.stack(rows)
