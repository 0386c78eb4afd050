"""The lower of the two curves: on each side the other one is higher."""

import jax.numpy as jnp


def warmup_cosine(step, warmup, total, peak):
    way = jnp.clip((step - warmup) / (total - warmup), 0, 1)
    return jnp.minimum(peak * step / warmup, peak * (1 + jnp.cos(jnp.pi * way)) / 2)
