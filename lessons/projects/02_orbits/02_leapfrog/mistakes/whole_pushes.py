# expects: check values
# says: Each of your pushes uses the whole of `dt`, so that together they push twice as far.
"""Pushes with the whole step, twice."""

import jax.numpy as jnp


def accelerations(x, m, softening):
    """Return the acceleration of each body, shape (n, d), caused by all the others."""
    apart = x[None, :, :] - x[:, None, :]  # apart[i, j] points from body i to body j
    square = jnp.sum(apart**2, axis=-1) + softening**2
    # A body does not attract itself. Its distance of 0 must not reach the power either, where the
    # slope is infinite and the gradient would be NaN.
    itself = jnp.eye(x.shape[0], dtype=bool)
    pull = jnp.where(itself, 0.0, m * jnp.where(itself, 1.0, square) ** -1.5)
    return jnp.sum(pull[:, :, None] * apart, axis=1)


def leapfrog(state, m, dt, softening):
    x, v = state
    v = v + dt * accelerations(x, m, softening)
    x = x + dt * v
    return x, v + dt * accelerations(x, m, softening)
