# expects: traced-bool-in-builtin-minmax at 8
"""Stops at 1 with Python's `min`."""

import jax.numpy as jnp


def warmup_cosine(step, warmup, total, peak):
    way = min((step - warmup) / (total - warmup), 1.0)
    down = peak * (1 + jnp.cos(jnp.pi * way)) / 2
    return jnp.where(step < warmup, peak * step / warmup, down)
