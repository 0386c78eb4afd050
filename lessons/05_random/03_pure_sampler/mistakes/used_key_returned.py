# expects: prng-key-reuse at 8
"""Returns the key that has drawn the number."""

import jax


def draw(state):
    state, sub = jax.random.split(state)
    return sub, jax.random.uniform(sub)
