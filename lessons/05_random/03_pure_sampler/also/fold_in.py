"""Two keys by their numbers: one for now and one for later."""

import jax


def draw(state):
    return jax.random.fold_in(state, 0), jax.random.uniform(jax.random.fold_in(state, 1))
