# expects: check once
# says: Your answer is right, but `f` runs twice. The value comes back together with the
#     derivative.
"""Runs the function once more than necessary."""

import jax


def directional(f, x, v):
    value = f(x)
    value, change = jax.jvp(f, (x,), (v,))
    return change
