"""An episode in one loop."""

import jax
import jax.numpy as jnp


def episode(policy, key, start, length):
    """Return the states (length, 4), the actions (length,) and which steps count (length,)."""
    states, actions, alive = [], [], []
    state = start
    # TODO: each round of this loop adds a whole step to the program, and all use the same key.
    for _ in range(length):
        action = policy(key, state)
        states.append(state)
        actions.append(action)
        state, done = step(state, action)
        alive.append(~done)  # Does the step in which the pole falls count?
    return jnp.stack(states), jnp.stack(actions), jnp.stack(alive)
