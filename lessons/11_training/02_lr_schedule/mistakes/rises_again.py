# expects: check values
"""Lets the cosine run on: after the end the rate rises again."""

import jax.numpy as jnp


def warmup_cosine(step, warmup, total, peak):
    way = (step - warmup) / (total - warmup)
    down = peak * (1 + jnp.cos(jnp.pi * way)) / 2
    return jnp.where(step < warmup, peak * step / warmup, down)
