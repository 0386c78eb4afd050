# expects: python-math-on-tracer at 11
"""Uses the cosine of the math module."""

import math

import jax.numpy as jnp


def warmup_cosine(step, warmup, total, peak):
    way = jnp.clip((step - warmup) / (total - warmup), 0, 1)
    down = peak * (1 + math.cos(math.pi * way)) / 2
    return jnp.where(step < warmup, peak * step / warmup, down)
