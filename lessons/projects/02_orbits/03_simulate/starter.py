"""Many steps in one loop."""

import jax
import jax.numpy as jnp


def simulate(state, m, dt, softening, steps):
    """Return the states (x, v) after each step, arrays of shape (steps, n, d)."""
    xs, vs = [], []
    # TODO: each round of this loop adds a whole step to the program.
    for _ in range(steps):
        state = leapfrog(state, m, dt, softening)
        xs.append(state[0])
        vs.append(state[1])
    return jnp.stack(xs), jnp.stack(vs)
