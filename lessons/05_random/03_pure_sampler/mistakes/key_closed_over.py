# expects: check goes-on
# says: Your answer gives the same number at every call. Each number has to come from the state that
#     the call before it returned.
"""Draws from a key of the module, always the same."""

import jax

KEY = jax.random.key(0)


def draw(state):
    new_state, _ = jax.random.split(state)
    return new_state, jax.random.uniform(jax.random.fold_in(KEY, 1))
