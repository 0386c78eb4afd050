# expects: leaked-by-attribute at 9
"""Keeps the key as an attribute of the function."""

import jax


def draw(state):
    key = getattr(draw, "key", state)
    draw.key, sub = jax.random.split(key)
    return draw.key, jax.random.uniform(sub)
