# expects: prng-key-reuse at 9
"""Returns the key that has drawn the number."""

import jax


def draw(state):
    state, sub = jax.random.split(state)
    return sub, jax.random.uniform(sub)
