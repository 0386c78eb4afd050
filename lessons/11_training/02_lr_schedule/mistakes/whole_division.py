# expects: check values
# says: Your rate is 0 all the way up. A step divided by `warmup` in whole numbers is 0 until the
#     warmup is over.
"""Divides in whole numbers: 0 all the way up."""

import jax.numpy as jnp


def warmup_cosine(step, warmup, total, peak):
    way = jnp.clip((step - warmup) / (total - warmup), 0, 1)
    down = peak * (1 + jnp.cos(jnp.pi * way)) / 2
    return jnp.where(step < warmup, peak * (step // warmup), down)
