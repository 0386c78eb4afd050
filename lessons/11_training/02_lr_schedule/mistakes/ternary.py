# expects: traced-bool-in-ternary at 10
"""Asks Python in one line."""

import jax.numpy as jnp


def warmup_cosine(step, warmup, total, peak):
    way = jnp.clip((step - warmup) / (total - warmup), 0, 1)
    down = peak * (1 + jnp.cos(jnp.pi * way)) / 2
    return peak * step / warmup if step < warmup else down
