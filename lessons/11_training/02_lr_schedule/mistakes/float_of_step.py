# expects: float-on-tracer at 8
"""Turns the step into a Python number first."""

import jax.numpy as jnp


def warmup_cosine(step, warmup, total, peak):
    step = float(step)
    way = jnp.clip((step - warmup) / (total - warmup), 0, 1)
    down = peak * (1 + jnp.cos(jnp.pi * way)) / 2
    return jnp.where(step < warmup, peak * step / warmup, down)
