# expects: grad-nonscalar at 8
"""Takes the gradient of the gradient, which is not a number."""

import jax


def hvp(f, x, v):
    return jax.grad(jax.grad(f))(x) * v
