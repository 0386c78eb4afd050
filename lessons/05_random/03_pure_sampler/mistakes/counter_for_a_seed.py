# expects: check goes-on
"""Makes each key from the same seed."""

import jax


def draw(state):
    new_state = jax.random.key(0)
    return new_state, jax.random.uniform(jax.random.fold_in(new_state, 1))
