# expects: check values
# says: You subtract the rate before you multiply: `(place - rate) * slope`. Multiplication comes
#     first if you leave the parentheses out.
"""Puts the parentheses in the wrong place."""

import jax


def step_down(height, place, rate):
    return (place - rate) * jax.grad(height)(place)
