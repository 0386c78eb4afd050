# expects: check values
# says: Your answer multiplies the Jacobian from the wrong side: `v` weights the outputs. It is a
#     direction of the input.
"""Multiplies from the wrong side, and mixes rows of the Jacobian instead of columns."""

import jax


def directional(f, x, v):
    _, pull = jax.vjp(f, x)
    return pull(v)[0]
