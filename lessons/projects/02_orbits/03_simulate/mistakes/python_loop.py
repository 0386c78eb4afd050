# expects: check equations
# says: Your values are right, but each step is in the program once more. Use a loop whose body is
#     traced once, and that is not unrolled.
"""Loops in Python."""

import jax
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
    """Return the state (x, v) a time dt later."""
    x, v = state
    v = v + dt / 2 * accelerations(x, m, softening)
    x = x + dt * v
    v = v + dt / 2 * accelerations(x, m, softening)  # at the new places
    return x, v


def simulate(state, m, dt, softening, steps):
    states = [state]
    for _ in range(steps):
        states.append(leapfrog(states[-1], m, dt, softening))
    return tuple(jnp.stack([s[i] for s in states])[1:] for i in range(2))
