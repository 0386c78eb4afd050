# expects: check goes-on
# says: Your answer gives the same number at every call. Each number has to come from the state that
#     the call before it returned.
"""Makes each key from the same seed."""

import jax


def draw(state):
    new_state = jax.random.key(0)
    return new_state, jax.random.uniform(jax.random.fold_in(new_state, 1))
