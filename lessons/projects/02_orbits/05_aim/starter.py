"""A probe that reaches its target."""

import jax
import jax.numpy as jnp


def fly(velocity, start, state, m, dt, softening, steps):
    """Return where a probe is after each step, shape (steps, d); it has no mass itself."""
    x, v = state
    together = jnp.vstack([x, start]), jnp.vstack([v, velocity])
    xs, _ = simulate(together, jnp.append(m, 0.0), dt, softening, steps)
    return xs[:, -1]


def aim(velocity, start, state, m, target, dt, softening, steps, rounds):
    """Return a velocity with which the probe ends at the target, improved in Newton's way."""
    end = fly(velocity, start, state, m, dt, softening, steps)[-1]
    # TODO: this is right where nothing pulls. How does the end depend on the velocity elsewhere?
    return velocity - (end - target) / (dt * steps)
