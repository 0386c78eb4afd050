# expects: check values
# says: Your rate is right up to `total` and rises again after it. A cosine does not stay where it
#     is; the way has to stop at 1.
"""Lets the cosine run on: after the end the rate rises again."""

import jax.numpy as jnp


def warmup_cosine(step, warmup, total, peak):
    way = (step - warmup) / (total - warmup)
    down = peak * (1 + jnp.cos(jnp.pi * way)) / 2
    return jnp.where(step < warmup, peak * step / warmup, down)
