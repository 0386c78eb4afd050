# expects: check values
# says: Your potential energy divides by the square of the distance, as the force does. The energy
#     divides by the distance.
"""Divides by the square of the distance."""

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
    """Return the states (x, v) after each step, arrays of shape (steps, n, d)."""

    def step(state, _):
        state = leapfrog(state, m, dt, softening)
        return state, state  # one goes on, one is collected

    return jax.lax.scan(step, state, length=steps)[1]


def energy(state, m, softening):
    x, v = state
    kinetic = jnp.sum(m[:, None] * v**2) / 2
    square = jnp.sum((x[None, :, :] - x[:, None, :]) ** 2, axis=-1) + softening**2
    itself = jnp.eye(x.shape[0], dtype=bool)
    pairs = jnp.where(itself, 0.0, m[:, None] * m * jnp.where(itself, 1.0, square) ** -1.0)
    return kinetic - jnp.sum(pairs) / 2


def energy_error(state, m, dt, softening, steps):
    """Return the largest change of energy in a simulation, relative to the energy at the start."""
    states = simulate(state, m, dt, softening, steps)
    energies = jax.vmap(energy, in_axes=(0, None, None))(states, m, softening)
    start = energy(state, m, softening)
    return jnp.max(jnp.abs(energies - start)) / jnp.abs(start)
