# expects: traced-bool-in-builtin-minmax at 8
"""Cuts off below with Python's `max`."""

import jax.numpy as jnp


def warmup_cosine(step, warmup, total, peak):
    way = max(0.0, (step - warmup) / (total - warmup))
    down = peak * (1 + jnp.cos(jnp.pi * jnp.minimum(way, 1))) / 2
    return jnp.where(step < warmup, peak * step / warmup, down)
