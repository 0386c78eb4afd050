# expects: check values
# says: Your cosine runs from step 0, so the rate jumps down when the warmup ends. The way down
#     begins at `warmup`.
"""Starts the cosine at step 0, so it jumps at the end of the warmup."""

import jax.numpy as jnp


def warmup_cosine(step, warmup, total, peak):
    way = jnp.clip(step / total, 0, 1)
    down = peak * (1 + jnp.cos(jnp.pi * way)) / 2
    return jnp.where(step < warmup, peak * step / warmup, down)
