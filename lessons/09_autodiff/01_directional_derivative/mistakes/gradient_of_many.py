# expects: grad-nonscalar at 8
"""Takes a gradient of a function with many outputs."""

import jax


def directional(f, x, v):
    return jax.grad(f)(x) @ v
