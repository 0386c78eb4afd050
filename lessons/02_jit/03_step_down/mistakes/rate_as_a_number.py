# expects: float-on-tracer at 8
"""Turns the rate into a Python number."""

import jax


def step_down(height, place, rate):
    return place - float(rate) * jax.grad(height)(place)
