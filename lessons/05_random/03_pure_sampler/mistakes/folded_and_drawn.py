# expects: check folded-apart
# says: Your state is folded to make the next one, and drawn from as well. The two come from the
#     same bits.
"""Folds the key that it draws from."""

import jax


def draw(state):
    return jax.random.fold_in(state, 1), jax.random.uniform(state)
