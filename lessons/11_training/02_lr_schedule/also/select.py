"""Three pieces, the last of them 0."""

import jax.numpy as jnp


def warmup_cosine(step, warmup, total, peak):
    t = jnp.asarray(step, jnp.float32)
    down = peak / 2 * (1 + jnp.cos(jnp.pi * (t - warmup) / (total - warmup)))
    return jnp.select([t < warmup, t < total], [peak * t / warmup, down], 0.0)
