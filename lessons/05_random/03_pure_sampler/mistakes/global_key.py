# expects: leaked-by-global at 10
"""Keeps the key in a global and replaces it while tracing."""

import jax

KEY = jax.random.key(0)

def draw(state):
    global KEY
    KEY, sub = jax.random.split(KEY)
    return state, jax.random.uniform(sub)
