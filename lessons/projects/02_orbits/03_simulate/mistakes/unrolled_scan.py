# expects: check equations
# says: Your values are right, but each step is in the program once more. Use a loop whose body is
#     traced once, and that is not unrolled.
"""Unrolls the loop."""

import jax
import jax.numpy as jnp


def accelerations(x, m, softening):
    """Return the acceleration of each body, shape (n, d), caused by all the others."""
    apart = x[None, :, :] - x[:, None, :]  # apart[i, j] points from body i to body j
    square = jnp.sum(apart**2, axis=-1) + softening**2
    itself = jnp.eye(x.shape[0], dtype=bool)
    pull = jnp.where(itself, 0.0, m * jnp.where(itself, 1.0, square) ** -1.5)
    return jnp.sum(pull[:, :, None] * apart, axis=1)


def leapfrog(state, m, dt, softening):
    """Return the state (x, v) a time dt later."""
    x, v = state
    v = v + dt / 2 * accelerations(x, m, softening)
    x = x + dt * v
    return x, v + dt / 2 * accelerations(x, m, softening)


def simulate(state, m, dt, softening, steps):
    """Return the states (x, v) after each step, arrays of shape (steps, n, d)."""

    def step(state, _):
        state = leapfrog(state, m, dt, softening)
        return state, state

    return jax.lax.scan(step, state, length=steps, unroll=steps)[1]
