"""Forward mode: how a function changes in one direction."""

import jax


def directional(f, x, v):
    """Return the derivative of f at x in the direction v."""
    # TODO: this works for a single output; f may have many.
    return jax.grad(f)(x) @ v
