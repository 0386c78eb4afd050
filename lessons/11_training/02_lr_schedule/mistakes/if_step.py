# expects: traced-bool-in-if at 8
"""Asks Python which piece it is."""

import jax.numpy as jnp


def warmup_cosine(step, warmup, total, peak):
    if step < warmup:
        return peak * step / warmup
    way = jnp.minimum((step - warmup) / (total - warmup), 1)
    return peak * (1 + jnp.cos(jnp.pi * way)) / 2
