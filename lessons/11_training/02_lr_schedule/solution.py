"""A schedule of a traced step: up in a line, down along a cosine."""

import jax.numpy as jnp


def warmup_cosine(step, warmup, total, peak):
    """Return the learning rate at a step."""
    up = peak * step / warmup
    # Clipped, the way is 1 from `total` on, and the rate stays 0.
    way = jnp.clip((step - warmup) / (total - warmup), 0, 1)
    down = peak * (1 + jnp.cos(jnp.pi * way)) / 2
    return jnp.where(step < warmup, up, down)
