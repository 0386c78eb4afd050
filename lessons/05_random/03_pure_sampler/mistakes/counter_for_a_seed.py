# expects: check goes-on
# says: Your answer gives the same number at every call: each new state is made from the same
#     seed. It should come from the old state.
"""Makes each key from the same seed."""

import jax


def draw(state):
    new_state = jax.random.key(0)
    return new_state, jax.random.uniform(jax.random.fold_in(new_state, 1))
