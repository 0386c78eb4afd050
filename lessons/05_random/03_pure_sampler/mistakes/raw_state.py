# expects: check values
"""Returns the raw words of the key, which is no key of the same kind."""

import jax


def draw(state):
    state, sub = jax.random.split(state)
    return jax.random.key_data(state), jax.random.uniform(sub)
